# The same data give the same bits here and in the program.

expect_same_file <- function(model, frame, ...) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  write_csv(frame, file.path(folder, "data.csv"))
  ours <- file.path(folder, "r.json")
  theirs <- file.path(folder, "program.json")
  save_model(model, ours)
  program("fit", file.path(folder, "data.csv"), "--model", theirs, ...)
  expect_identical(bytes_of(ours), bytes_of(theirs))
  # And what is read back says the same, to the bit.
  read <- load_model(theirs)
  newdata <- frame[setdiff(names(frame), model$label)]
  said <- program("predict", theirs, file.path(folder, "data.csv"))
  first <- vapply(strsplit(said[-1L], ","), `[`, "", 2L)
  # as.numeric() may miss the nearest number by a bit.
  first <- jsonlite::fromJSON(sprintf("[%s]", paste(first, collapse = ",")))
  p <- predict(read, newdata, type = "prob")
  expect_identical(unname(p[, 2L]), first)
  expect_identical(unname(p), unname(predict(model, newdata, type = "prob")))
}

test_that("numbers give the file of the program", {
  expect_same_file(pfcvm(Species ~ ., flowers), flowers)
  matrix <- as.matrix(flowers[1:4])
  model <- pfcvm(matrix, flowers$Species, kernel = "linear", certainty = "off")
  model$label <- "Species"
  expect_same_file(model, flowers, "--kernel", "linear", "--certainty", "off")
})

test_that("words, dates, truth values and gaps do", {
  frame <- clinic()
  expect_same_file(pfcvm(y ~ ., frame), frame)
})

test_that("rows without a label do", {
  frame <- clinic()
  frame$y[c(2L, 50L)] <- NA
  expect_warning(model <- pfcvm(y ~ ., frame, certainty = "off"), class = "pfcvm_unlabelled")
  expect_same_file(model, frame, "--certainty", "off")
})

test_that("panels do, also where nobody asked for one", {
  genes <- drawn_genes(40L, 200L)
  frame <- genes[c(2:201, 1L)]
  asked <- pfcvm_panel(type ~ ., frame, size = 4L)
  expect_same_file(asked, frame, "--panel", "4")
  broad <- pfcvm_panel(type ~ ., frame, size = 4L, goal = "accuracy", certainty = "off")
  expect_same_file(broad, frame, "--panel", "4", "--goal", "accuracy", "--certainty", "off")
  wide <- drawn_genes(30L, 400L)[c(2:401, 1L)]
  found <- pfcvm(type ~ ., wide)
  expect_identical(found$about$kind, "panel")
  expect_same_file(found, wide)
})

test_that("three classes and class weights do", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  model <- pfcvm(Species ~ ., iris, certainty = "off", class_weight = "balanced")
  write_csv(iris, file.path(folder, "data.csv"))
  save_model(model, file.path(folder, "r.json"))
  program("fit", file.path(folder, "data.csv"), "--model", file.path(folder, "p.json"),
    "--certainty", "off", "--class-weights", "balanced")
  expect_identical(bytes_of(file.path(folder, "r.json")), bytes_of(file.path(folder, "p.json")))
})

# The order of keys says nothing.
in_order <- function(x) {
  x <- if (is.list(x)) lapply(x, in_order) else x
  if (is.null(names(x))) x else x[order(names(x))]
}

test_that("evaluations and prices are the program's", {
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write_csv(flowers, path)
  ours <- pfcvm_evaluate(Species ~ ., flowers, settings = list(certainty = "off"), cv = "kfold:3", seed = 5)
  said <- program("evaluate", path, "--method", "pfcvm-lp", "--set", "certainty=off", "--cv", "kfold:3",
    "--seed", "5", "--json")
  theirs <- jsonlite::fromJSON(paste(said, collapse = "\n"), simplifyVector = FALSE)
  expect_identical(in_order(ours$measures$log_loss), in_order(theirs$measures$log_loss))
  expect_identical(in_order(ours$curves), in_order(theirs$curves))
  expect_identical(ours$settings, theirs$settings[names(ours$settings)])
  expect_identical(ours$selected, theirs$selected)

  ours <- pfcvm_price(Species ~ ., flowers, sizes = 1:2, cv = "kfold:3",
    settings = list(certainty = "off"))
  said <- program("price", path, "--sizes", "1,2", "--cv", "kfold:3", "--set", "certainty=off", "--json")
  theirs <- jsonlite::fromJSON(paste(said, collapse = "\n"), simplifyVector = FALSE)
  mean_of <- function(point) as.numeric(point$log_loss$mean)
  expect_identical(ours$points$log_loss, vapply(theirs$points, mean_of, 0))
  expect_identical(ours$suggested, as.numeric(theirs$suggested))
})
