# What is wrong becomes a condition of R in one sentence.

refused <- function(code, words) {
  problem <- expect_error(code, words, class = "pfcvm_error")
  expect_false(grepl("\n", conditionMessage(problem)))
  expect_null(conditionCall(problem))
}

test_that("wrong input is refused in words", {
  x <- as.matrix(flowers[1:4])
  y <- flowers$Species
  refused(pfcvm(x, y, kernel = "round"), "no kernel")
  refused(pfcvm(x, y, false_positive_rate = 0.7), "0.7")
  refused(pfcvm(x, y, false_positive_rates = 0.1), "no setting `false_positive_rates`")
  refused(pfcvm(x, y, size = 1.5), "size must be one whole number")
  refused(pfcvm(x, y[-1L]), "99 labels for 100 rows")
  refused(pfcvm(x, rep("a", 100L)), "two classes")
  refused(pfcvm(x, y, weights = 1:3), "weights must be 100 numbers")
  refused(pfcvm(x, y, class_weight = c(rose = 2)), "no class `rose`")
  refused(pfcvm(type ~ ., drawn_genes(400L, 100L), kernel = "rbf", memory_limit = 1), "MiB")
  refused(pfcvm(list(1), y), "class list")
  x[2L, 2L] <- Inf
  refused(pfcvm(x, y), "inf|infinite|finite")
  refused(pfcvm(Species ~ a:b, transform(flowers, a = 1, b = 2)), "interactions")
  refused(pfcvm(~ ., flowers), "no label")
  refused(pfcvm(Species ~ 1, flowers), "no features")
  refused(pfcvm(data.frame(a = 1:4, a = 1:4, check.names = FALSE), c(1, 2, 1, 2)), "called `a`")
})

test_that("wrong new rows are refused in words", {
  model <- pfcvm(Species ~ ., flowers, certainty = "off")
  refused(predict(model), "newdata is missing")
  refused(predict(model, flowers[1:2]), "no column `Petal")
  refused(predict(model, as.matrix(flowers[1:2])), "no column `Petal")
  refused(predict(model, unname(as.matrix(flowers[1:2]))), "2 columns, and 4")
  refused(predict(model, flowers, se.fit = TRUE), "se.fit")
  refused(pfcvm_test(model, flowers, rep("rose", 100L)), "label `rose`")
})

test_that("damaged and missing files are refused in words", {
  refused(load_model(tempfile()), "cannot|not be|No such|no such")
  path <- tempfile()
  model <- pfcvm(Species ~ ., flowers, certainty = "off")
  save_model(model, path)
  text <- sub("\"virginica\"", "\"virginicb\"", readLines(path, warn = FALSE), fixed = TRUE)
  writeLines(text, path)
  refused(load_model(path), "checksum")
  expect_identical(load_model(path, checked = FALSE)$classes[2L], "virginicb")
  problem <- expect_error(save_model(model, file.path(tempfile(), "none", "m.json")), class = "pfcvm_error")
  expect_s3_class(problem, "pfcvm_not_written")
})

test_that("no panic crosses the border", {
  problem <- expect_error(pfcvm:::ask("panic"), "please report")
  expect_s3_class(problem, "pfcvm_internal")
  refused(pfcvm:::ask("nonsense"), "unknown variant")
})

test_that("every bit of a number reaches the other side", {
  values <- c(0.1 + 0.2, 1 / 3, 1e-300, 2^53, 123456789.123456789)
  text <- pfcvm:::to_json(pfcvm:::several(values))
  expect_identical(unlist(jsonlite::fromJSON(text)), values)
  odd <- c("a\"b", "a\\b", "a\nb\tc", "\u00e9\u4e2d")
  expect_identical(jsonlite::fromJSON(pfcvm:::to_json(pfcvm:::several(odd))), odd)
})

test_that("an interrupt stops a fit", {
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf("library(pfcvm, lib.loc = %s)", deparse(dirname(find.package("pfcvm")))),
    "genes <- drawn_genes(6000, 300, informative = 40, difference = 0.5)",
    "cat('fitting\\n')",
    "done <- tryCatch({ pfcvm(type ~ ., genes, kernel = 'rbf'); 'finished' },",
    "  interrupt = function(i) 'interrupted')",
    "cat(done, '\\n')",
    "cat(nlevels(predict(pfcvm(Species ~ ., iris, certainty = 'off'), iris)), 'still alive\\n')"
  ), script)
  output <- tempfile()
  command <- sprintf(
    "%s --vanilla %s > %s 2>&1 & echo $!", shQuote(file.path(R.home("bin"), "Rscript")), script, output
  )
  process <- as.integer(system(command, intern = TRUE))
  on.exit(tools::pskill(process, 9L))
  said <- function(words) any(grepl(words, readLines(output, warn = FALSE), fixed = TRUE))
  for (round in 1:600) {
    if (file.exists(output) && said("fitting")) break
    Sys.sleep(0.1)
  }
  Sys.sleep(0.5)
  tools::pskill(process, 2L)
  for (round in 1:600) {
    if (said("still alive") || said("finished")) break
    Sys.sleep(0.1)
  }
  expect_identical(readLines(output, warn = FALSE), c("fitting", "interrupted ", "3 still alive"))
})
