# Rows that look like none, rows to label next, learning on, rows without labels.

rings <- function(rows) {
  at <- rows
  spread <- function(by) (at * by) %% 1
  class <- at %% 2L
  radius <- 1 + 1.2 * class + 0.9 * spread(0.754877)
  angle <- 2 * pi * spread(0.569840)
  data.frame(a = radius * cos(angle), b = radius * sin(angle), c = spread(0.414214),
    label = c("in", "out")[class + 1L])
}

test_that("rows that look like none are told", {
  model <- pfcvm(label ~ ., rings(0:159), kernel = "rbf", samples = "few")
  near <- predict(model, rings(200:299), type = "novelty")
  expect_lte(sum(near > 1), 5)
  expect_gt(predict(model, data.frame(a = 90, b = -40, c = 0.5), type = "novelty"), 5)
  panel <- pfcvm_panel(type ~ ., drawn_genes(40L, 60L), size = 5, members = 10, certainty = "off")
  expect_null(predict(panel, drawn_genes(40L, 60L), type = "novelty"))
})

test_that("rows to label next are suggested", {
  model <- pfcvm(label ~ ., rings(0:59), kernel = "rbf", certainty = "insist")
  found <- pfcvm_suggest(model, rings(100:399), count = 8)
  expect_identical(dim(found), c(8L, 2L))
  expect_true(all(found$gain > 0) && sum(found$gain) < 1 && all(found$row %in% 1:300) && !anyDuplicated(found$row))
  expect_error(pfcvm_suggest(model, rings(1:9), count = 0), "at least 1", class = "pfcvm_error")
})

test_that("learning on from all rows is learning from all rows", {
  settings <- list(kernel = "rbf", samples = "few", certainty = "off")
  fit <- function(rows, ...) do.call(pfcvm, c(list(label ~ ., rings(rows), ...), settings))
  first <- fit(0:99, keep_rows = 500)
  model <- pfcvm_update(first, rings(100:159))
  new <- rings(200:249)
  expect_identical(predict(model, new, type = "prob"), predict(fit(0:159), new, type = "prob"))
  # The old model is as it was, and both go through a file.
  expect_false(identical(predict(first, new, type = "prob"), predict(model, new, type = "prob")))
  path <- tempfile(fileext = ".json")
  save_model(model, path)
  read <- load_model(path)
  on <- pfcvm_update(read, rings(160:199), half_life = 100)
  expect_identical(dim(predict(on, new, type = "prob")), c(50L, 2L))
  turned <- transform(rings(160:219), label = ifelse(label == "in", "out", "in"))
  expect_warning(pfcvm_update(model, turned), "not what the model expects", class = "pfcvm_new_rows")
  expect_error(pfcvm_update(fit(0:99), rings(100:159)), "keep_rows", class = "pfcvm_error")
  expect_error(pfcvm_update(first, rings(1:9), half_life = 0), "above 0", class = "pfcvm_error")
  expect_error(fit(0:99, keep_rows = 3), "at least 10", class = "pfcvm_error")
})

test_that("rows without labels help or are left alone", {
  frame <- rings(0:299)
  frame$label[25:300] <- NA
  expect_message(
    model <- pfcvm(label ~ ., frame, kernel = "rbf", samples = "few", unlabelled = TRUE),
    "276 rows without a label"
  )
  found <- model$about$unlabelled
  expect_identical(found$used, found$with < found$without)
  expect_true(all(samples(model)$row %in% 1:300))
  expect_warning(pfcvm(label ~ ., frame, certainty = "off"), class = "pfcvm_unlabelled")
})
