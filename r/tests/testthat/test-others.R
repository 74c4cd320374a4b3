test_that("sparse matrices are taken", {
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(as.matrix(flowers[1:4]), sparse = TRUE)
  model <- pfcvm(sparse, flowers$Species, certainty = "off")
  expect_identical(predict(model, sparse, type = "prob"),
    predict(model, as.matrix(flowers[1:4]), type = "prob"))
})

test_that("experiments are taken", {
  skip_if_not_installed("SummarizedExperiment")
  genes <- drawn_genes(40L, 60L)
  experiment <- SummarizedExperiment::SummarizedExperiment(
    assays = list(log2 = t(as.matrix(genes[-1L]))),
    colData = data.frame(type = genes$type)
  )
  model <- pfcvm(experiment, "type", certainty = "off")
  expect_identical(unname(predict(model, experiment, type = "prob")),
    unname(predict(pfcvm(type ~ ., genes, certainty = "off"), genes, type = "prob")))
  expect_error(pfcvm(experiment, "kind"), "colData", class = "pfcvm_error")
  expect_identical(sum(pfcvm_test(model, experiment, "type")$confusion), 40)
})

test_that("the engine of parsnip fits and predicts", {
  skip_if_not_installed("parsnip")
  engine <- parsnip::set_engine(parsnip::svm_rbf(mode = "classification"), "pfcvm", certainty = "off")
  fitted <- parsnip::fit(engine, Species ~ ., flowers)
  p <- predict(fitted, flowers, type = "prob")
  expect_identical(names(p), c(".pred_versicolor", ".pred_virginica"))
  direct <- pfcvm(Species ~ ., flowers, kernel = "rbf", certainty = "off")
  expect_identical(p[[2L]], unname(predict(direct, flowers, type = "prob")[, 2L]))
})

test_that("the learner of mlr3 trains and predicts", {
  skip_if_not_installed("mlr3")
  learner <- mlr3::lrn("classif.pfcvm", certainty = "off", predict_type = "prob")
  task <- mlr3::as_task_classif(flowers, target = "Species")
  learner$train(task)
  direct <- pfcvm(flowers[task$feature_names], flowers$Species, certainty = "off")
  expect_equal(unname(learner$predict(task)$prob), unname(predict(direct, flowers, type = "prob")))
  expect_setequal(learner$selected_features(), features(direct)$feature)
})

test_that("drawn genes are the same on every machine", {
  genes <- drawn_genes(6L, 30L)
  expect_identical(drawn_genes(6L, 30L), genes)
  expect_identical(attr(genes, "informative"), paste0("gene", c(1, 7, 13, 19, 25)))
  before <- get0(".Random.seed", globalenv())
  drawn_genes(6L, 30L)
  expect_identical(get0(".Random.seed", globalenv()), before)
})

test_that("real genes give the same list as the program", {
  folder <- Sys.getenv("PFCVM_DATA")
  path <- file.path(folder, "tables", "hepatitis.arff")
  skip_if(folder == "" || !file.exists(path), "PFCVM_DATA has no hepatitis")
  lines <- readLines(path)
  head <- grep("^@attribute", lines, ignore.case = TRUE, value = TRUE)
  data <- lines[-seq_len(grep("^@data", lines, ignore.case = TRUE))]
  data <- data[nzchar(trimws(data)) & !startsWith(data, "%")]
  frame <- utils::read.csv(text = data, header = FALSE, na.strings = "?", strip.white = TRUE,
    quote = "\"'", stringsAsFactors = FALSE)
  names(frame) <- gsub("['\"]", "", vapply(strsplit(trimws(head), "[ \t]+"), `[`, "", 2L))
  model <- pfcvm(frame[-ncol(frame)], frame[[ncol(frame)]], certainty = "off")
  target <- tempfile(fileext = ".json")
  program("fit", path, "--model", target, "--certainty", "off")
  expect_identical(features(model)$feature, features(load_model(target))$feature)
  expect_identical(features(model)$weight, features(load_model(target))$weight)
})
