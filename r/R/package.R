#' Sparse Bayesian classification that selects features and samples
#'
#' \code{\link{pfcvm}} learns from a table, \code{\link{predict.pfcvm}} says what new rows are, and
#' \code{\link{features}} lists what decided, with how sure that is. \code{\link{pfcvm_panel}} is for far
#' more features than samples, \code{\link{pfcvm_price}} says how many features are needed, and
#' \code{\link{pfcvm_evaluate}} how good a method is on rows that did not train it.
#'
#' All of it is computed by the same compiled code as in the program \code{pfcvm} and in Python: the same
#' data give the same bits, and model files (\code{\link{save_model}}, \code{\link{load_model}}) are the
#' same to the byte.
#'
#' @name pfcvm-package
#' @keywords internal
#' @useDynLib pfcvm, .registration = TRUE, .fixes = "C_"
NULL
