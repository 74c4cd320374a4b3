# SummarizedExperiment: columns are samples, rows are features.

experiment_rows <- function(experiment, assay = 1L) {
  values <- SummarizedExperiment::assay(experiment, assay)
  t(as.matrix(values))
}

experiment_labels <- function(experiment, y) {
  about <- SummarizedExperiment::colData(experiment)
  if (!is.character(y) || length(y) != 1L || !y %in% colnames(about)) {
    refuse(sprintf(
      "y must name a column of colData; there are %s", shortened(colnames(about))
    ))
  }
  about[[y]]
}

#' @rdname pfcvm
#' @export
pfcvm.SummarizedExperiment <- function(x, y, assay = 1L, ...) {
  of_experiment(pfcvm.default, x, y, assay, ..., call = match.call())
}

#' @rdname pfcvm_panel
#' @export
pfcvm_panel.SummarizedExperiment <- function(x, y, assay = 1L, ...) {
  of_experiment(pfcvm_panel.default, x, y, assay, ..., call = match.call())
}

#' @rdname pfcvm_evaluate
#' @export
pfcvm_evaluate.SummarizedExperiment <- function(x, y, assay = 1L, ...) {
  pfcvm_evaluate.default(experiment_rows(x, assay), experiment_labels(x, y), ...)
}

#' @rdname pfcvm_price
#' @export
pfcvm_price.SummarizedExperiment <- function(x, y, assay = 1L, ...) {
  pfcvm_price.default(experiment_rows(x, assay), experiment_labels(x, y), ...)
}

of_experiment <- function(fit, x, y, assay, ..., call) {
  model <- fit(experiment_rows(x, assay), experiment_labels(x, y), ...)
  model$call <- call
  model$label <- y
  model
}
