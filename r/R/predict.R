#' What new rows are
#'
#' Only the columns that the model needs are looked at (\code{features(model)$feature}, or all with
#' \code{goal = "accuracy"}); \code{newdata} may have just those. Columns are found by name, those of a
#' matrix without names by their place. \code{NA} is a gap; words that training did not have are taken as
#' gaps, with a warning of class \code{pfcvm_unseen}.
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param newdata A matrix, data frame or \code{SummarizedExperiment}.
#' @param type \code{"class"}: what each row is called; \code{"prob"}: the probability of each class;
#'   \code{"link"}: the decision value f of each machine, which the program calls \code{decision};
#'   \code{"novelty"}: how far each row is from the samples that the model remembers, above 1 where it looks
#'   like none that was learned from.
#' @param se.fit With \code{type = "link"}: whether standard deviations are wanted as well.
#' @param ... Nothing.
#'
#' @return A factor; a matrix with a column for each class; the novelty of each row (\code{NULL} where it cannot be
#'   told: by panels, and by models that found nothing); or f, a vector for two classes and a matrix
#'   with a column for each machine for more. With \code{se.fit} a list of \code{fit} and \code{se.fit},
#'   the posterior standard deviation of f.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' model <- pfcvm(Species ~ ., flowers, certainty = "off")
#' predict(model, flowers[c(1, 100), ])
#' predict(model, flowers[c(1, 100), ], type = "link", se.fit = TRUE)
#' @export
predict.pfcvm <- function(object, newdata, type = c("class", "prob", "link", "novelty"), se.fit = FALSE,
                          ...) {
  type <- match.arg(type)
  if (missing(newdata)) {
    refuse("newdata is missing: a model does not keep the rows it has learned from")
  }
  if (se.fit && type != "link") {
    refuse("se.fit goes with type = \"link\"")
  }
  if (type == "novelty") {
    return(novelty_of(object, newdata))
  }
  said <- said_about(object, newdata)
  switch(type,
    class = factor(object$classes[said$class], levels = object$classes),
    prob = said$probability,
    link = if (se.fit) list(fit = said$decision, se.fit = sqrt(said$variance)) else said$decision
  )
}

# What the machines say about rows.
said_about <- function(object, newdata) {
  newdata <- rows_of(newdata)
  table <- needed_table(object, newdata)
  reply <- ask("predict", words = table$words, engine = engine_of(object), x = table$x)
  tell_unseen(from_json(reply$text)$unknown, table)
  names <- rownames_of(newdata)
  machines <- machine_names(object)
  shaped <- function(values) {
    if (ncol(values) == 1L) {
      return(stats::setNames(values[, 1L], names))
    }
    dimnames(values) <- list(names, machines)
    values
  }
  probability <- reply$tables[[2L]]
  dimnames(probability) <- list(names, object$classes)
  list(
    class = as.integer(reply$tables[[1L]]) + 1L,
    probability = probability,
    decision = shaped(reply$tables[[3L]]),
    variance = shaped(reply$tables[[4L]])
  )
}

# How far rows are from those that are remembered; NULL: that cannot be told.
novelty_of <- function(object, newdata) {
  newdata <- rows_of(newdata)
  table <- needed_table(object, newdata)
  found <- ask("novelty", words = table$words, engine = engine_of(object), x = table$x)$tables
  if (length(found)) stats::setNames(found[[1L]][, 1L], rownames_of(newdata))
}

# Rows of what may be an experiment.
rows_of <- function(newdata, assay = 1L) {
  if (inherits(newdata, "SummarizedExperiment")) experiment_rows(newdata, assay) else newdata
}

rownames_of <- function(newdata) {
  if (is.data.frame(newdata) && .row_names_info(newdata) < 0L) NULL else rownames(newdata)
}

# What each machine tells apart.
machine_names <- function(object) {
  vapply(object$about$machines, function(one) {
    if (is.null(one$negative)) one$positive else paste(one$positive, "against", one$negative)
  }, "")
}

tell_unseen <- function(unknown, table) {
  counts <- as.integer(unlist(unknown))
  if (!any(counts > 0L)) {
    return(invisible())
  }
  places <- vapply(table$words, function(one) one[[1L]], 0L) + 1L
  named <- sprintf("`%s`: %d", table$names[places], counts)[counts > 0L]
  more <- length(named) - 5L
  tell(sprintf(
    "%d cells hold words that the training data did not have, and are taken as gaps (%s%s)",
    sum(counts), paste(named[seq_len(min(5L, length(named)))], collapse = ", "),
    if (more > 0L) sprintf(" and %d more columns", more) else ""
  ), "pfcvm_unseen")
}

#' How good a model is on rows that did not train it
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param newdata Rows, as of \code{\link{predict.pfcvm}}.
#' @param y Their classes; of a \code{SummarizedExperiment}, the name of a column of \code{colData}.
#'   Rows whose class is \code{NA} are left out. For a model of a formula, \code{NULL} takes the label
#'   from \code{newdata}.
#'
#' @return An object of class \code{pfcvm_test}: a list with \code{accuracy}, \code{log_loss},
#'   \code{brier}, \code{auc}, \code{kappa}, \code{classes}, \code{confusion} (rows are the truth) and
#'   \code{curves}, as the program has them.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' odd <- seq(1, 100, by = 2)
#' model <- pfcvm(Species ~ ., flowers[odd, ], certainty = "off")
#' pfcvm_test(model, flowers[-odd, ])
#' @export
pfcvm_test <- function(object, newdata, y = NULL) {
  if (inherits(newdata, "SummarizedExperiment") && is.character(y) && length(y) == 1L) {
    y <- experiment_labels(newdata, y)
  }
  newdata <- rows_of(newdata)
  if (is.null(y)) {
    y <- labels_in(object, newdata)
  }
  codes <- known_codes(y, object$classes)
  if (length(codes) != nrow(newdata)) {
    refuse(sprintf("y has %d labels for %d rows", length(codes), nrow(newdata)))
  }
  there <- !is.na(codes)
  table <- needed_table(object, newdata[there, , drop = FALSE])
  reply <- ask("test",
    words = table$words, engine = engine_of(object), x = table$x, codes = codes[there]
  )
  found <- from_json(reply$text)
  found$data <- NULL
  found$confusion <- as_confusion(found$confusion, object$classes)
  structure(c(found, list(class_names = object$classes)), class = "pfcvm_test")
}

# The labels that rows come with.
labels_in <- function(object, newdata) {
  if (is.null(object$label) || is.null(dim(newdata)) || !object$label %in% colnames(newdata)) {
    refuse("y is missing: newdata has no column of labels")
  }
  if (is.data.frame(newdata)) newdata[[object$label]] else newdata[, object$label]
}

as_confusion <- function(rows, classes) {
  matrix(as.numeric(unlist(rows)), length(classes), byrow = TRUE,
    dimnames = list(truth = classes, called = classes))
}

#' @export
print.pfcvm_test <- function(x, digits = 3L, ...) {
  shown <- c("rows", "accuracy", "auc", "log_loss", "brier", "kappa", "calibration_error")
  there <- shown[!vapply(x[shown], is.null, NA)]
  values <- vapply(x[there], as.numeric, 0)
  print(noquote(stats::setNames(format_each(values, digits), there)), right = TRUE)
  cat("\n")
  print(x$confusion)
  invisible(x)
}

format_each <- function(values, digits) {
  vapply(values, function(value) format(round(value, digits)), "")
}
