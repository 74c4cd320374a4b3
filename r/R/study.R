#' How good a method is on rows that did not train it
#'
#' Every fold fits the method on its training part and scores the rows of its test part, as the program
#' \code{pfcvm evaluate} does: the same rows, protocol and seed give the same figures to the bit.
#'
#' @param x,y,formula,data,assay As of \code{\link{pfcvm}}.
#' @param method A method of the program's catalogue, such as \code{"pfcvm-lp"}, \code{"pfcvm-panel"},
#'   \code{"rvm"} or \code{"svm"}.
#' @param settings Its settings, as a named list.
#' @param cv The protocol: \code{"kfold:5"}, \code{"kfold:5x4"} (four times), \code{"loo"},
#'   \code{"holdout:20x10"} (20 rows of each class, ten times), \code{"bootstrap:50"}, or
#'   \code{"groups:NAME"} with \code{groups}.
#' @param groups A group for each row, which folds keep together.
#' @param nested Whether settings are chosen inside each training part.
#' @param grid Among these values, as a named list; \code{NULL}: those of the method.
#' @param shortest With \code{nested}: whether the shortest list within one standard error is chosen, not
#'   the fewest errors.
#' @param scheme As of \code{\link{pfcvm}}.
#' @param seed Of the splits.
#' @param ... Passed from one method to another.
#'
#' @return An object of class \code{pfcvm_evaluation}: a list with the keys of the program's
#'   \code{evaluate --json}, such as \code{measures} (each with \code{mean}, \code{sd} and
#'   \code{interval}), \code{curves} and \code{selected}.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' pfcvm_evaluate(Species ~ ., flowers, settings = list(certainty = "off"), cv = "kfold:3")
#' @export
pfcvm_evaluate <- function(x, ...) UseMethod("pfcvm_evaluate")

#' @rdname pfcvm_evaluate
#' @export
pfcvm_evaluate.default <- function(x, y, method = "pfcvm-lp", settings = list(), cv = "kfold:5",
                                   groups = NULL, nested = FALSE, grid = NULL, shortest = FALSE,
                                   scheme = "joint", seed = 0L, ...) {
  nothing_else(...)
  samples <- training(x, y)
  request <- list(
    trial = trial(samples, method, settings, cv, groups, scheme, seed),
    nested = one_truth(nested, "nested"),
    grid = several(as_grid(grid)),
    shortest = one_truth(shortest, "shortest")
  )
  reply <- ask("evaluate", table = samples$about, request = request, x = samples$x, codes = samples$codes)
  found <- from_json(reply$text)
  found$measures$confusion <- as_confusion(found$measures$confusion, unlist(found$classes))
  structure(found, class = "pfcvm_evaluation")
}

#' @rdname pfcvm_evaluate
#' @export
pfcvm_evaluate.formula <- function(formula, data, ...) {
  parts <- of_formula(formula, data)
  pfcvm_evaluate.default(parts$x, parts$y, ...)
}

#' What a short list costs, and what more rows would bring
#'
#' Lists of every length are fitted inside each training part and tested on rows that had no part in it,
#' as the program \code{pfcvm price} does. Suggested is the shortest list whose log loss is above the best
#' one's by at most one standard error of the difference, row by row.
#'
#' @param x,y,formula,data,assay As of \code{\link{pfcvm}}.
#' @param sizes The lengths; \code{NULL}: 1, 2, 3, 5, ... below what a fit on all rows keeps.
#' @param panel Whether lists are those of \code{\link{pfcvm_panel}}.
#' @param rows Whether the curve is over the number of training rows instead: what more rows would bring.
#' @param settings,cv,groups,scheme,seed,... As of \code{\link{pfcvm_evaluate}}.
#'
#' @return An object of class \code{pfcvm_price}: a list with \code{points} (a data frame),
#'   \code{best} and \code{suggested} (lengths; \code{Inf} is all that a fit keeps) and \code{list}, the
#'   features of a fit on all rows at that length; over rows \code{points} and \code{outlook}.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' pfcvm_price(Species ~ ., flowers, sizes = 1:2, settings = list(certainty = "off", kernel = "linear"),
#'   cv = "kfold:3")
#' @export
pfcvm_price <- function(x, ...) UseMethod("pfcvm_price")

#' @rdname pfcvm_price
#' @export
pfcvm_price.default <- function(x, y, sizes = NULL, panel = FALSE, rows = FALSE, settings = list(),
                                cv = "kfold:5", groups = NULL, scheme = "joint", seed = 0L, ...) {
  nothing_else(...)
  method <- if (one_truth(panel, "panel")) "pfcvm-panel" else "pfcvm-lp"
  if (!panel) {
    # What is not said is what a fit finds out.
    for (key in setdiff(c("kernel", "samples"), names(settings))) {
      settings[[key]] <- "auto"
    }
  }
  samples <- training(x, y)
  request <- list(
    trial = trial(samples, method, settings, cv, groups, scheme, seed),
    sizes = several(vapply(as.list(sizes), one_whole, 0, name = "sizes")),
    over_rows = one_truth(rows, "rows")
  )
  reply <- ask("price", table = samples$about, request = request, x = samples$x, codes = samples$codes)
  found <- from_json(reply$text)
  size <- function(value) if (is.null(value)) Inf else as.numeric(value)
  points <- found$points
  means <- function(key, part) numbers_of(lapply(points, `[[`, key), part)
  frame <- data.frame(features = numbers_of(points, "features"))
  if (rows) {
    frame <- cbind(rows = numbers_of(points, "rows"), frame)
    found$outlook <- found$outlook_in_words
    found$outlook_in_words <- NULL
  } else {
    frame <- cbind(size = vapply(points, function(one) size(one$size), 0), frame)
    found["best"] <- list(size(found$best))
    found["suggested"] <- list(size(found$suggested))
    found$list <- data.frame(
      feature = texts_of(found$list, "feature"),
      importance = numbers_of(found$list, "importance"),
      false_alarm = numbers_of(found$list, "false_alarm")
    )
  }
  for (key in c("log_loss", "error_rate", if (rows) "gain" else "difference")) {
    frame[[key]] <- means(key, "mean")
    frame[[paste0(key, "_error")]] <- means(key, "error")
  }
  found$points <- frame
  structure(found, class = "pfcvm_price")
}

#' @rdname pfcvm_price
#' @export
pfcvm_price.formula <- function(formula, data, ...) {
  parts <- of_formula(formula, data)
  pfcvm_price.default(parts$x, parts$y, ...)
}

# What is tried, and how.
trial <- function(samples, method, settings, cv, groups, scheme, seed) {
  if (!is.null(groups)) {
    groups <- as.character(groups)[samples$kept]
    if (anyNA(groups) || length(groups) != length(samples$kept)) {
      refuse("groups must have a value for each row")
    }
    groups <- several(groups)
  }
  list(
    method = one_text(method, "method"), set = several(as_texts(settings)), cv = one_text(cv, "cv"),
    groups = groups, scheme = one_text(scheme, "scheme"), seed = one_whole(seed, "seed")
  )
}

# Settings as the catalogue takes them, key=value.
as_texts <- function(settings) {
  if (length(settings) && (is.null(names(settings)) || any(names(settings) == ""))) {
    refuse("settings must be a named list")
  }
  vapply(names(settings), function(key) paste0(key, "=", as_word(settings[[key]])), "", USE.NAMES = FALSE)
}

as_grid <- function(grid) {
  vapply(names(grid), function(key) {
    paste0(key, "=", paste(vapply(grid[[key]], as_word, ""), collapse = ","))
  }, "", USE.NAMES = FALSE)
}

as_word <- function(value) {
  if (is.numeric(value)) sprintf("%.15g", value) else tolower_truth(value)
}

tolower_truth <- function(value) if (is.logical(value)) tolower(as.character(value)) else as.character(value)

#' @export
print.pfcvm_evaluation <- function(x, digits = 3L, ...) {
  cat(sprintf("%s on %d rows and %d features of %s, %s, seed %s\n\n", x$method, x$rows, x$features,
    and(unlist(x$classes)), x$protocol, x$seed))
  measures <- x$measures
  keys <- c("accuracy", "log_loss", "brier", "auc", "kappa", "features", "samples")
  keys <- keys[vapply(measures[keys], function(one) is.list(one) && !is.null(one$mean), NA)]
  of_key <- function(key, part) {
    value <- measures[[key]][[part]]
    if (is.null(value)) NA_real_ else as.numeric(value)
  }
  frame <- data.frame(
    mean = vapply(keys, of_key, 0, part = "mean"), sd = vapply(keys, of_key, 0, part = "sd")
  )
  print(round(frame, digits))
  cat("\n")
  print(measures$confusion)
  if (length(x$failed)) {
    cat(sprintf("\n%d folds failed; the first: %s\n", length(x$failed), x$failed[[1L]]$reason))
  }
  invisible(x)
}

#' @export
print.pfcvm_price <- function(x, digits = 3L, ...) {
  print(x$points, digits = digits, row.names = FALSE)
  if (is.null(x$outlook)) {
    length <- function(size) if (is.finite(size)) sprintf("%d features", as.integer(size)) else
      "all that a fit keeps"
    cat(sprintf("\nsuggested: %s (best: %s)\n", length(x$suggested), length(x$best)))
    if (nrow(x$list)) {
      cat(paste(x$list$feature, collapse = ", "), "\n", sep = "")
    }
  } else {
    cat("\n", x$outlook, "\n", sep = "")
  }
  invisible(x)
}
