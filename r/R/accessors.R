#' What a model has found
#'
#' \code{features} are what decides, the most important first; \code{samples} the rows that are
#' remembered; \code{importance} what each feature is worth on rows that did not train.
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param certain Whether only the features that are certain are wanted.
#' @param ... Nothing.
#'
#' @return \code{features}: a data frame with \code{feature}, \code{column} (its place among the features),
#'   \code{weight}, \code{deviation} (its posterior standard deviation), and where rows that did not train
#'   were asked \code{certain}, \code{false_alarm} (how likely it is listed for nothing),
#'   \code{importance} with \code{lower} and \code{upper} (95 \%), \code{p_value} and
#'   \code{kept_share}. A panel has \code{frequency} too. Where each of several machines has a list of
#'   its own there are \code{share} and \code{machines}, how many list it, instead of weights.
#'
#'   \code{samples}: a data frame with \code{row}, \code{label}, \code{weight} and \code{deviation}, and
#'   \code{machine} where there are several. A panel remembers none.
#'
#'   \code{importance}: a named vector: by how much the mean log loss of rows that did not train rises
#'   without each feature; with more than two classes and one model of all, a matrix with a column for
#'   all and one for each class. Where these rows were not asked, shares of the weights.
#'
#'   \code{effects}: a list for each machine of what each feature does to the log odds: a data frame with
#'   \code{value} or \code{word}, \code{effect} and \code{deviation} for each column.
#'
#'   \code{coef}: with the linear kernel and features that are numbers, f as a linear function of the
#'   features as they are given; otherwise the weights of the features.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' model <- pfcvm(Species ~ ., flowers)
#' features(model)
#' importance(model)
#' head(samples(model))
#' @export
features <- function(object, ...) UseMethod("features")

#' @rdname features
#' @export
samples <- function(object, ...) UseMethod("samples")

#' @rdname features
#' @export
importance <- function(object, ...) UseMethod("importance")

#' @rdname features
#' @export
effects_of <- function(object, ...) UseMethod("effects_of")

# The machine whose list is that of all; NULL: each has its own.
list_of_all <- function(object) {
  machines <- object$about$machines
  if (length(machines) == 1L || identical(object$about$scheme, "joint")) machines[[1L]]
}

#' @rdname features
#' @export
features.pfcvm <- function(object, certain = FALSE, ...) {
  about <- object$about
  of_all <- about$selected_features
  machine <- list_of_all(object)
  frame <- data.frame(
    feature = texts_of(of_all, "name"),
    column = as.integer(numbers_of(of_all, "index")) + 1L,
    stringsAsFactors = FALSE
  )
  if (!is.null(machine)) {
    own <- machine$selected_features
    own <- own[match(frame$column - 1L, numbers_of(own, "index"))]
    for (key in c("weight", "deviation")) {
      frame[[key]] <- numbers_of(own, key)
    }
  } else {
    own <- of_all
    frame$share <- numbers_of(of_all, "share")
    frame$machines <- as.integer(numbers_of(of_all, "machines"))
  }
  if (!is.null(about$nothing_found)) {
    frame$certain <- vapply(of_all, function(one) isTRUE(one$certain), NA)
    frame$false_alarm <- numbers_of(of_all, "false_alarm")
    if (!is.null(machine)) {
      frame$importance <- numbers_of(of_all, "importance")
      ends <- lapply(of_all, `[[`, "importance_interval")
      end <- function(at) vapply(ends, function(two) if (is.null(two)) NA_real_ else as.numeric(two[[at]]), 0)
      frame$lower <- end(1L)
      frame$upper <- end(2L)
      frame$p_value <- numbers_of(own, "p_value")
      frame$kept_share <- numbers_of(own, "kept_share")
    }
  }
  if (identical(about$kind, "panel") && !is.null(machine)) {
    frame$frequency <- numbers_of(own, "frequency")
  }
  rownames(frame) <- NULL
  if (!certain) {
    return(frame)
  }
  if (is.null(frame$certain)) {
    refuse("it is not known which features are certain: certainty was off, or a class has too few rows")
  }
  frame[frame$certain, , drop = FALSE]
}

#' @rdname features
#' @export
samples.pfcvm <- function(object, ...) {
  machines <- object$about$machines
  several <- length(machines) > 1L
  names <- machine_names(object)
  frames <- lapply(seq_along(machines), function(at) {
    kept <- machines[[at]]$selected_samples
    frame <- data.frame(
      row = as.integer(numbers_of(kept, "index")) + 1L,
      label = texts_of(kept, "label"),
      weight = numbers_of(kept, "weight"),
      deviation = numbers_of(kept, "deviation"),
      stringsAsFactors = FALSE
    )
    if (several) {
      frame$machine <- rep(names[at], nrow(frame))
    }
    frame
  })
  do.call(rbind, frames)
}

#' @rdname features
#' @export
importance.pfcvm <- function(object, ...) {
  listed <- object$about$selected_features
  names <- texts_of(listed, "name")
  worth <- numbers_of(listed, "importance")
  if (length(listed) && all(is.na(worth))) {
    shares <- object$about$shares
    places <- vapply(shares, function(one) as.numeric(one[[1L]]), 0)
    share <- vapply(shares, function(one) as.numeric(one[[2L]]), 0)
    return(stats::setNames(share[match(numbers_of(listed, "index"), places)], names))
  }
  if (length(object$classes) == 2L || is.null(list_of_all(object)) || !length(listed)) {
    return(stats::setNames(worth, names))
  }
  by_class <- t(vapply(listed, function(one) as.numeric(unlist(one$class_importance)),
    numeric(length(object$classes))))
  matrix(c(worth, by_class), length(worth), dimnames = list(names, c("all", object$classes)))
}

#' @rdname features
#' @export
effects_of.pfcvm <- function(object, ...) {
  machines <- from_json(ask("effects", engine = engine_of(object))$text)
  found <- lapply(machines, function(effects) {
    columns <- lapply(effects$columns, as_effect)
    stats::setNames(columns, vapply(effects$columns, function(one) {
      if (is.null(one$column)) one$name else paste(one$name, one$column)
    }, ""))
  })
  stats::setNames(found, machine_names(object))
}

as_effect <- function(one) {
  frame <- data.frame(
    effect = as.numeric(unlist(one$effect)), deviation = as.numeric(unlist(one$deviation))
  )
  if (is.null(one$values)) {
    # Words that have the same effect stand together; a gap has no word.
    spelt <- function(words) paste(vapply(words, function(w) if (is.null(w)) "(gap)" else w, ""), collapse = ", ")
    frame <- cbind(word = vapply(one$words, spelt, ""), frame)
  } else {
    frame <- cbind(value = as.numeric(unlist(one$values)), frame)
  }
  structure(frame, shape = one$shape)
}

#' @rdname features
#' @importFrom stats coef
#' @export
coef.pfcvm <- function(object, ...) {
  machines <- object$about$machines
  linear <- lapply(machines, `[[`, "linear")
  names <- unlist(object$about$feature_names)
  if (!any(vapply(linear, is.null, NA))) {
    all <- vapply(linear, function(form) {
      slopes <- stats::setNames(numeric(length(names)), names)
      slopes[as.integer(unlist(form[[1L]])) + 1L] <- as.numeric(unlist(form[[2L]]))
      c("(Intercept)" = as.numeric(form[[3L]]), slopes)
    }, numeric(length(names) + 1L))
  } else {
    all <- vapply(machines, function(one) {
      weights <- stats::setNames(numeric(length(names)), names)
      weights[as.integer(numbers_of(one$selected_features, "index")) + 1L] <-
        numbers_of(one$selected_features, "weight")
      weights
    }, stats::setNames(numeric(length(names)), names))
  }
  if (length(machines) == 1L) {
    return(all[, 1L])
  }
  colnames(all) <- machine_names(object)
  all
}

#' @export
print.pfcvm <- function(x, digits = 3L, ...) {
  about <- x$about
  panel <- identical(about$kind, "panel")
  cat(sprintf(
    "%s of %s: %d rows, %d features\n", if (panel) "A panel" else "A pfcvm",
    and(x$classes), about$n_samples_in, about$n_features_in
  ))
  listed <- features(x)
  if (nrow(listed) == 0L) {
    cat("No feature does better than chance.\n")
    return(invisible(x))
  }
  certain <- if (is.null(listed$certain)) "" else sprintf(", %d of them certain", sum(listed$certain))
  remembered <- if (panel) "" else
    sprintf("; %d samples remembered", length(unique(samples(x)$row)))
  cat(sprintf("%d features decide%s%s\n\n", nrow(listed), certain, remembered))
  shown <- intersect(c("feature", "weight", "deviation", "share", "false_alarm", "importance", "certain"),
    names(listed))
  print(utils_head(listed[shown], 10L), digits = digits, row.names = FALSE)
  if (nrow(listed) > 10L) {
    cat(sprintf("... and %d more (features() has all)\n", nrow(listed) - 10L))
  }
  held_out <- about$held_out
  if (!is.null(held_out$accuracy)) {
    cat(sprintf(
      "\nRows that did not train: accuracy %.3f, log loss %.3f (shares of the classes: %.3f)\n",
      held_out$accuracy, held_out$log_loss, held_out$baseline_log_loss
    ))
  }
  invisible(x)
}

utils_head <- function(frame, most) frame[seq_len(min(most, nrow(frame))), , drop = FALSE]

and <- function(names) {
  if (length(names) > 5L) {
    return(sprintf("%d classes", length(names)))
  }
  paste(paste(names[-length(names)], collapse = ", "), "and", names[length(names)])
}

#' A model in words
#'
#' What the program \code{pfcvm inspect} prints.
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param ... Nothing.
#'
#' @return An object of class \code{summary.pfcvm}: a list with \code{text}, \code{features},
#'   \code{held_out} and \code{settings}.
#' @examples
#' summary(pfcvm(Species ~ ., iris, certainty = "off"))
#' @export
summary.pfcvm <- function(object, ...) {
  structure(list(
    text = ask("summary", engine = engine_of(object))$text,
    features = features(object),
    held_out = object$about$held_out,
    settings = object$about$settings
  ), class = "summary.pfcvm")
}

#' @export
print.summary.pfcvm <- function(x, ...) {
  cat(x$text)
  invisible(x)
}
