#' Which rows to label next
#'
#' They are drawn, with chances that go along with how uncertain their class is, (1 - sum of p squared) cubed.
#' Of a model that found nothing every row has the same chance. Rows that were suggested are no fair draw: test
#' on rows that were drawn evenly.
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param pool Rows without labels, as of \code{\link{predict.pfcvm}}.
#' @param count How many to suggest.
#'
#' @return A data frame with \code{row}, the rows of \code{pool} by number, and
#'   \code{gain}, the share of what is not known of the pool that each label is expected to take.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' some <- c(1:10, 51:60)
#' model <- pfcvm(Species ~ ., flowers[some, ], certainty = "off")
#' pfcvm_suggest(model, flowers[-some, ], count = 5)
#' @export
pfcvm_suggest <- function(object, pool, count = 10L) {
  count <- one_whole(count, "count")
  if (count < 1) {
    refuse("count must be at least 1")
  }
  table <- needed_table(object, rows_of(pool))
  reply <- ask("suggest",
    words = table$words, count = as.integer(count), engine = engine_of(object), x = table$x
  )
  found <- reply$tables[[1L]]
  if (length(found) == 0L) {
    return(data.frame(row = integer(), gain = numeric()))
  }
  data.frame(row = as.integer(found[, 1L]) + 1L, gain = found[, 2L])
}

#' Learn on from new rows
#'
#' A model that was fitted with \code{keep_rows} has kept some of its rows. It learns from these and the new
#' ones, with its first settings, and keeps some of both: as long as all are kept, the model is the one that a
#' fit to everything would give. A warning of class \code{pfcvm_new_rows} says where the new
#' rows are not what the model expects; classes that it does not know are learned.
#'
#' @param object A \code{\link{pfcvm}} that was fitted with \code{keep_rows}.
#' @param newdata New rows, with the columns of the first ones.
#' @param y Their classes; rows whose class is \code{NA} are left out. For a model of a formula, \code{NULL} takes
#'   the label from \code{newdata}.
#' @param half_life Forget: what was seen counts half after so many rows have been seen since. \code{NULL}:
#'   nothing is forgotten.
#' @param weights,memory_limit,parallel,verbose As of \code{\link{pfcvm}}.
#'
#' @return A new object of class \code{pfcvm}; the old one is as it was.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' odd <- seq(1, 100, by = 2)
#' model <- pfcvm(Species ~ ., flowers[odd, ], certainty = "off", keep_rows = 100)
#' pfcvm_update(model, flowers[-odd, ])
#' @export
pfcvm_update <- function(object, newdata, y = NULL, half_life = NULL, weights = NULL,
                         memory_limit = NULL, parallel = TRUE, verbose = FALSE) {
  newdata <- rows_of(newdata)
  if (is.null(y)) {
    y <- labels_in(object, newdata)
  }
  half_life <- maybe(half_life, one_number, "half_life")
  if (!is.null(half_life) && half_life <= 0) {
    refuse("half_life must be above 0")
  }
  samples <- training(all_columns(object, newdata), y, weights, least = 1L)
  reply <- ask("update",
    table = samples$about, half_life = half_life,
    way = way(memory_limit, parallel, verbose, panel_if_many = TRUE), engine = engine_of(object),
    x = samples$x, codes = samples$codes, weights = samples$weights
  )
  model <- as_model(reply, match.call())
  for (part in c("variables", "environment", "label")) {
    model[[part]] <- object[[part]]
  }
  for (note in unlist(model$about$notes)) {
    tell(note, "pfcvm_new_rows")
  }
  tell_ending(model)
  model
}

# The columns of new rows as they were when the model learned first, without the label.
all_columns <- function(object, newdata) {
  if (!is.null(object$variables) && is.data.frame(newdata)) {
    values <- lapply(seq_along(object$variables), function(at) evaluated(object, at, newdata))
    return(stats::setNames(as.data.frame(values, optional = TRUE), column_names(object)))
  }
  if (is.data.frame(newdata) && !is.null(object$label)) {
    newdata <- newdata[setdiff(names(newdata), object$label)]
  }
  newdata
}
