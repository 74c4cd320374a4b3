# Labels as places among classes.

# Classes in order, the place of each row's from 0 (NA: it has none). Levels of a factor keep their order;
# other labels are ordered as numbers if all are numbers, else by the alphabet.
as_classes <- function(y, least = 2L) {
  if (is.data.frame(y) || is.matrix(y)) {
    if (ncol(y) != 1L) {
      refuse(sprintf("y has %d columns; give one label for each row", ncol(y)))
    }
    y <- y[, 1L, drop = TRUE]
  }
  if (is.factor(y)) {
    classes <- levels(y)[levels(y) %in% y]
    codes <- match(as.character(y), classes)
  } else if (is.logical(y) || is.character(y) || is.numeric(y) || inherits(y, "Date")) {
    if (is.numeric(y) && any(is.infinite(y))) {
      refuse("a label is infinite; mend it or drop the row")
    }
    different <- unique(y[!is.na(y)])
    text <- as.character(different)
    read <- suppressWarnings(as.numeric(text))
    order <- if (is.character(y) && !anyNA(read)) order(read) else order(different, method = "radix")
    classes <- enc2utf8(text[order])
    codes <- match(y, different[order])
  } else {
    refuse(sprintf("y is of class %s; give a factor, text, numbers or truth values", class(y)[1L]))
  }
  if (length(classes) < least) {
    refuse(if (least > 1L) "two classes or more are needed; y has fewer" else "no row has a label")
  }
  list(classes = enc2utf8(classes), codes = as.integer(codes) - 1L)
}

# Places of labels among the classes of a model.
known_codes <- function(y, classes) {
  text <- as.character(if (is.data.frame(y) || is.matrix(y)) y[, 1L, drop = TRUE] else y)
  codes <- match(enc2utf8(text), classes)
  strange <- which(is.na(codes) & !is.na(text))
  if (length(strange)) {
    refuse(sprintf(
      "row %d has the label `%s`, which the training data do not have; mend the label or remove the row",
      strange[1L], text[strange[1L]]
    ))
  }
  codes - 1L
}

# What is handed over of rows. Those without a label are left out, and counted, unless they are wanted.
training <- function(x, y, weights = NULL, groups = NULL, unlabelled = FALSE, least = 2L) {
  table <- as_table(x)
  if (length(dim(y)) == 0L && length(y) != nrow(table$x)) {
    refuse(sprintf("y has %d labels for %d rows", length(y), nrow(table$x)))
  }
  labels <- as_classes(y, least)
  if (one_truth(unlabelled, "unlabelled")) {
    labels$codes[is.na(labels$codes)] <- -1L
  }
  kept <- which(!is.na(labels$codes))
  total <- nrow(table$x)
  if (!is.null(weights)) {
    if (!is.numeric(weights) || length(weights) != total) {
      refuse(sprintf("weights must be %d numbers, one for each row", total))
    }
    weights <- as.numeric(weights)
  }
  rows <- NULL
  if (length(kept) < total) {
    tell(sprintf("rows without a label are left out: %d", total - length(kept)), "pfcvm_unlabelled")
    rows <- several(kept - 1L)
    table$x <- table$x[kept, , drop = FALSE]
    weights <- weights[kept]
  }
  described <- list(words = table$words, dates = several(table$dates))
  described["groups"] <- list(feature_groups(groups, table$names, ncol(table$x)))
  list(
    x = table$x,
    codes = labels$codes[kept],
    weights = weights,
    kept = kept,
    classes = labels$classes,
    about = list(
      classes = several(labels$classes),
      names = if (is.null(table$names)) NULL else several(table$names),
      described = described,
      rows = rows,
      of = as.integer(total)
    )
  )
}

# The name of the feature that each column belongs to; NULL: each is one.
feature_groups <- function(groups, names, count) {
  if (is.null(groups)) {
    return(NULL)
  }
  own <- if (is.null(names)) paste0("x", seq_len(count)) else names
  if (is.null(names(groups))) {
    if (length(groups) != count) {
      refuse(sprintf("feature_groups has %d names for %d columns", length(groups), count))
    }
    found <- as.character(groups)
  } else {
    places <- match(names(groups), own)
    if (anyNA(places)) {
      refuse(sprintf("feature_groups: there is no column `%s`", names(groups)[is.na(places)][1L]))
    }
    found <- rep(NA_character_, count)
    found[places] <- as.character(groups)
  }
  clash <- own[is.na(found) & own %in% found]
  if (length(clash)) {
    refuse(sprintf(
      "feature_groups: the group `%s` has the name of a column that is not in it", clash[1L]
    ))
  }
  several(ifelse(is.na(found), own, found))
}
