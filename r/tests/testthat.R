library(testthat)
library(pfcvm)

test_check("pfcvm")
