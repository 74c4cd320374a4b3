test_that("formulas, frames and matrices are one", {
  model <- pfcvm(Species ~ ., flowers, certainty = "off")
  frame <- pfcvm(flowers[1:4], flowers$Species, certainty = "off")
  matrix <- pfcvm(as.matrix(flowers[1:4]), as.character(flowers$Species), certainty = "off")
  p <- predict(model, flowers, type = "prob")
  expect_identical(predict(frame, flowers, type = "prob"), p)
  expect_identical(predict(matrix, as.matrix(flowers[1:4]), type = "prob"), p)
  some <- pfcvm(Species ~ Petal.Width + log(Petal.Length), flowers, certainty = "off")
  expect_setequal(features(some)$feature, c("log(Petal.Length)", "Petal.Width"))
  expect_identical(dim(predict(some, flowers[c("Petal.Width", "Petal.Length")], type = "prob")), c(100L, 2L))
})

test_that("weights are counts", {
  weighted <- pfcvm(Species ~ ., flowers, weights = rep(1:2, 50), certainty = "off")
  copied <- pfcvm(Species ~ ., flowers[c(1:100, seq(2, 100, 2)), ], certainty = "off")
  expect_identical(
    predict(weighted, flowers, type = "prob"), predict(copied, flowers, type = "prob")
  )
})

test_that("classes keep the order of a factor, and numbers theirs", {
  turned <- factor(flowers$Species, levels = c("virginica", "versicolor"))
  model <- pfcvm(flowers[1:4], turned, certainty = "off")
  expect_identical(colnames(predict(model, flowers, type = "prob")), c("virginica", "versicolor"))
  expect_identical(levels(predict(model, flowers)), c("virginica", "versicolor"))
  numbers <- pfcvm(flowers[1:4], ifelse(turned == "virginica", 10, 2), certainty = "off")
  expect_identical(numbers$classes, c("2", "10"))
  texts <- pfcvm(flowers[1:4], ifelse(turned == "virginica", "10", "2"), certainty = "off")
  expect_identical(texts$classes, c("2", "10"))
})

test_that("factors, gaps and unseen words", {
  frame <- clinic()
  model <- pfcvm(y ~ ., frame, certainty = "off")
  as_factor <- frame
  as_factor$group <- factor(frame$group, levels = c("c", "b", "a", "unused"))
  expect_identical(
    predict(pfcvm(y ~ ., as_factor, certainty = "off"), as_factor, type = "prob"),
    predict(model, frame, type = "prob")
  )
  expect_true("group" %in% features(model)$feature)
  strange <- frame[1:3, ]
  strange$group[2L] <- "d"
  gap <- frame[1:3, ]
  gap$group[2L] <- NA
  expect_warning(p <- predict(model, strange, type = "prob"), "`group`: 1", class = "pfcvm_unseen")
  expect_identical(p, predict(model, gap, type = "prob"))
  # Columns that are not needed may be missing.
  needed <- unlist(model$about$needed_columns) + 1L
  expect_identical(predict(model, frame[needed]), predict(model, frame))
})

test_that("probabilities, links and classes go together", {
  model <- pfcvm(Species ~ ., flowers)
  p <- predict(model, flowers, type = "prob")
  expect_equal(unname(rowSums(p)), rep(1, 100))
  link <- predict(model, flowers, type = "link", se.fit = TRUE)
  expect_identical(link$fit, predict(model, flowers, type = "link"))
  expect_true(all(link$se.fit > 0))
  # The probability is averaged over f and its variance.
  expect_equal(p[, 2L], plogis(link$fit / sqrt(1 + pi / 8 * link$se.fit^2)), tolerance = 1e-12)
  expect_identical(predict(model, flowers) == "virginica", unname(link$fit >= 0))
  three <- predict(pfcvm(Species ~ ., iris, certainty = "off"), iris, type = "link")
  expect_identical(colnames(three), levels(iris$Species))
})

test_that("accessors say what the fit knows", {
  model <- pfcvm(Species ~ ., flowers)
  found <- features(model)
  expect_true(all(c("feature", "weight", "false_alarm", "importance", "certain") %in% names(found)))
  expect_identical(stats::setNames(found$importance, found$feature), importance(model))
  expect_identical(features(model, certain = TRUE), found[found$certain, ])
  rows <- samples(model)
  expect_identical(as.character(flowers$Species)[rows$row], rows$label)
  linear <- pfcvm(Species ~ ., flowers, kernel = "linear", certainty = "off")
  slopes <- coef(linear)
  f <- drop(cbind(1, as.matrix(flowers[1:4])) %*% slopes)
  expect_equal(unname(f), unname(predict(linear, flowers, type = "link")), tolerance = 1e-9)
  three <- pfcvm(Species ~ ., iris)
  expect_identical(colnames(importance(three)), c("all", levels(iris$Species)))
  pairs <- pfcvm(Species ~ ., iris, scheme = "one-vs-one", certainty = "off")
  expect_identical(sort(unique(samples(pairs)$machine)),
    sort(c("versicolor against setosa", "virginica against setosa", "virginica against versicolor")))
  expect_true(all(features(pairs)$share > 0))
  effects <- effects_of(model)[[1L]]
  expect_setequal(names(effects), found$feature)
})

test_that("a fit that finds nothing says so", {
  at <- 1:60
  noise <- data.frame(a = (at * 37) %% 61, b = (at * 11) %% 59, y = at %% 3 == 0)
  expect_warning(model <- pfcvm(y ~ ., noise), class = "pfcvm_nothing_found")
  expect_identical(nrow(features(model)), 0L)
  expect_equal(unname(predict(model, noise[1, ], type = "prob")[1, ]), c(40, 20) / 60)
  expect_output(print(model), "better than chance")
})

test_that("print, summary and pictures work", {
  model <- pfcvm(Species ~ ., flowers)
  expect_output(print(model), "2 features decide")
  expect_output(print(summary(model)), "Which features matter")
  frame <- clinic()
  words <- pfcvm(y ~ ., frame, certainty = "off")
  grDevices::pdf(tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  expect_identical(plot(model)$feature, features(model)$feature)
  drawn <- plot(words, "effects")
  expect_identical(drawn$group$word, c("a", "b", "c"))
  # Gaps are a word of their own where they are not rare.
  frame$group[seq(1L, nrow(frame), by = 7L)] <- NA
  drawn <- plot(pfcvm(y ~ ., frame, certainty = "off"), "effects")
  expect_identical(drawn$group$word, c("a", "b", "c", "(gap)"))
  expect_true(nrow(plot(model, "convergence")) > 1L)
  expect_identical(names(plot(model, "calibration", newdata = flowers)),
    c("predicted", "observed", "lower", "upper", "count"))
  test <- pfcvm_test(model, flowers)
  plot(test, "roc")
  expect_identical(sum(test$confusion), 100)
  expect_output(print(test), "accuracy")
  price <- pfcvm_price(Species ~ ., flowers, sizes = 1, cv = "kfold:3", settings = list(certainty = "off"))
  expect_identical(plot(price), price$points)
  expect_output(print(price), "suggested")
})

test_that("objects survive saveRDS, and models their file", {
  model <- pfcvm(Species ~ ., flowers)
  path <- tempfile()
  saveRDS(model, path)
  expect_identical(predict(readRDS(path), flowers, type = "prob"), predict(model, flowers, type = "prob"))
  save_model(model, path)
  read <- load_model(path)
  expect_identical(predict(read, flowers, type = "prob"), predict(model, flowers, type = "prob"))
  again <- tempfile()
  save_model(read, again)
  expect_identical(bytes_of(again), bytes_of(path))
})
