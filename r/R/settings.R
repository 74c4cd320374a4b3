# Settings, checked for their form; what they mean is the compiled half's affair.

one_number <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1L || !is.finite(value)) {
    refuse(sprintf("%s must be one number", name))
  }
  as.numeric(value)
}

one_whole <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1L || !is.finite(value) || value < 0 ||
    value != round(value)) {
    refuse(sprintf("%s must be one whole number that is not negative", name))
  }
  as.numeric(value)
}

one_text <- function(value, name) {
  if (!is.character(value) || length(value) != 1L || is.na(value)) {
    refuse(sprintf("%s must be one text", name))
  }
  value
}

one_truth <- function(value, name) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    refuse(sprintf("%s must be TRUE or FALSE", name))
  }
  value
}

# NULL stays NULL.
maybe <- function(value, check, name) if (!is.null(value)) check(value, name)

# Those that were said.
stated <- function(...) Filter(Negate(is.null), list(...))

# Settings that no method takes are mistakes in their names.
nothing_else <- function(...) {
  if (...length() > 0L) {
    names <- ...names()
    name <- if (is.null(names) || is.na(names[1L]) || names[1L] == "") "without a name" else
      sprintf("`%s`", names[1L])
    refuse(sprintf("there is no setting %s; see ?pfcvm", name))
  }
}

# How a fit is to be done, beside its settings.
way <- function(memory_limit, parallel, verbose, panel_if_many, keep_rows = NULL) {
  keep_rows <- maybe(keep_rows, one_whole, "keep_rows")
  if (!is.null(keep_rows) && keep_rows < 10) {
    refuse("keep_rows must be at least 10")
  }
  list(
    keep_rows = keep_rows,
    memory_limit = maybe(memory_limit, one_whole, "memory_limit"),
    parallel = one_truth(parallel, "parallel"),
    verbose = one_truth(verbose, "verbose"),
    panel_if_many = panel_if_many
  )
}

class_weights <- function(given, classes) {
  if (is.null(given)) {
    return("equal")
  }
  if (identical(given, "balanced")) {
    return("balanced")
  }
  if (!is.numeric(given)) {
    refuse("class_weight must be NULL, \"balanced\", or a number for each class")
  }
  if (!is.null(names(given))) {
    strange <- setdiff(names(given), classes)
    if (length(strange)) {
      refuse(sprintf("class_weight: there is no class `%s`", strange[1L]))
    }
    all <- stats::setNames(rep(1, length(classes)), classes)
    all[names(given)] <- given
    given <- all
  }
  several(as.numeric(given))
}
