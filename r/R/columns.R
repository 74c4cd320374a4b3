# Columns of a table as numbers: words as places among their texts, dates as days, gaps as NaN.

# A table as the compiled half takes it: the rows, names (NULL: there are none), columns of words by
# place from 0 with their texts, and places of dates.
as_table <- function(x) {
  if (inherits(x, "Matrix")) {
    x <- as.matrix(x)
  }
  if (is.matrix(x) && is.numeric(x)) {
    names <- colnames(x)
    rows <- x
    dimnames(rows) <- NULL
    storage.mode(rows) <- "double"
    return(list(x = rows, names = named(names), words = list(), dates = integer()))
  }
  if (is.matrix(x) || is.array(x)) {
    x <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (!is.data.frame(x)) {
    refuse(sprintf("x is of class %s; give a matrix or a data frame", class(x)[1L]))
  }
  cells <- lapply(seq_along(x), function(at) column(x[[at]], names(x)[at]))
  rows <- matrix(NA_real_, nrow(x), length(cells))
  for (at in seq_along(cells)) {
    rows[, at] <- cells[[at]]$cells
  }
  texts <- lapply(cells, `[[`, "texts")
  is_words <- which(!vapply(texts, is.null, NA))
  list(
    x = rows,
    names = named(names(x)),
    words = lapply(is_words, function(at) list(at - 1L, several(texts[[at]]))),
    dates = which(vapply(cells, function(one) isTRUE(one$is_date), NA)) - 1L
  )
}

# Names of columns, where there are any and they tell columns apart.
named <- function(names) {
  if (is.null(names)) {
    return(NULL)
  }
  if (anyNA(names) || any(names == "")) {
    refuse("a column has no name; name all columns, or none of a matrix")
  }
  twice <- names[duplicated(names)]
  if (length(twice)) {
    refuse(sprintf("two columns are called `%s`; rename one of them", twice[1L]))
  }
  enc2utf8(names)
}

# One column by what it is.
column <- function(v, name) {
  if (is.matrix(v) || is.data.frame(v) || is.list(v) && !inherits(v, "POSIXlt")) {
    refuse(sprintf("column `%s` holds several values in a row; give each a column of its own", name))
  }
  if (is.factor(v) || is.character(v) || is.logical(v)) {
    # Without a value nothing says that it holds words.
    if (is.logical(v) && all(is.na(v))) {
      return(list(cells = as.numeric(v)))
    }
    return(as_words(v))
  }
  if (inherits(v, "Date") || inherits(v, "POSIXt")) {
    return(list(cells = as_days(v), is_date = TRUE))
  }
  list(cells = as_numbers(v, name))
}

# Any values as words.
as_words <- function(v) {
  if (is.factor(v)) {
    return(list(cells = as.numeric(as.integer(v)) - 1, texts = enc2utf8(levels(v))))
  }
  v <- enc2utf8(if (is.numeric(v)) shortest(v) else as.character(v))
  texts <- unique(v[!is.na(v)])
  list(cells = as.numeric(match(v, texts)) - 1, texts = texts)
}

# A number as the program writes it.
shortest <- function(v) {
  text <- vapply(as.numeric(v), format, "", digits = 15L, trim = TRUE, scientific = FALSE)
  ifelse(is.na(v), NA_character_, text)
}

# Days since 1970 in Greenwich, times as shares of them.
as_days <- function(v) {
  if (inherits(v, "Date")) {
    return(as.numeric(v))
  }
  seconds <- as.numeric(as.POSIXct(v))
  whole <- floor(seconds / 86400)
  whole + (seconds - 86400 * whole) / 86400
}

as_numbers <- function(v, name) {
  if (inherits(v, "difftime")) {
    return(as.numeric(v, units = "days"))
  }
  if (!is.numeric(v)) {
    refuse(sprintf(
      "column `%s` is of class %s; give numbers, words, truth values or dates", name, class(v)[1L]
    ))
  }
  as.numeric(v)
}

# The columns of new rows that a model needs, in its order, as it learned them.
needed_table <- function(object, newdata) {
  about <- object$about
  needed <- as.integer(unlist(about$needed_columns)) + 1L
  values <- needed_columns(object, newdata, needed)
  learned <- about$columns
  kinds <- if (length(learned)) texts_of(learned, "kind")[needed] else rep("number", length(needed))
  names <- column_names(object)[needed]
  count <- nrow_of(newdata)
  rows <- matrix(NA_real_, count, length(needed))
  words <- list()
  for (at in seq_along(needed)) {
    v <- values[[at]]
    if (kinds[at] == "words") {
      spelt <- as_words(v)
      rows[, at] <- spelt$cells
      words <- c(words, list(list(at - 1L, several(spelt$texts))))
    } else if (inherits(v, "Date") || inherits(v, "POSIXt")) {
      rows[, at] <- as_days(v)
    } else {
      rows[, at] <- as_learned_numbers(v, names[at])
    }
  }
  list(x = rows, words = words, names = names)
}

# Words where numbers were learned are read as numbers; what is none is a gap.
as_learned_numbers <- function(v, name) {
  if (is.factor(v)) {
    v <- as.character(v)
  }
  if (is.logical(v)) {
    return(as.numeric(v))
  }
  if (!is.character(v)) {
    return(as_numbers(v, name))
  }
  read <- suppressWarnings(as.numeric(v))
  strange <- sum(is.na(read) & !is.na(v))
  if (strange > 0L) {
    tell(sprintf(
      "%d cells of column `%s` are no numbers, as they were in training, and are taken as gaps",
      strange, name
    ), "pfcvm_unseen")
  }
  read
}

nrow_of <- function(newdata) {
  if (is.null(dim(newdata))) length(newdata) else nrow(newdata)
}

# Those columns one by one, found by name, or by place where training had no names.
needed_columns <- function(object, newdata, needed) {
  if (inherits(newdata, "Matrix")) {
    newdata <- newdata[, needed_places(object, newdata, needed), drop = FALSE]
    newdata <- as.matrix(newdata)
    return(lapply(seq_len(ncol(newdata)), function(at) newdata[, at]))
  }
  if (!is.null(object$variables) && is.data.frame(newdata)) {
    return(lapply(needed, function(at) evaluated(object, at, newdata)))
  }
  if (!is.data.frame(newdata) && !is.matrix(newdata)) {
    refuse(sprintf("newdata is of class %s; give a matrix or a data frame", class(newdata)[1L]))
  }
  places <- needed_places(object, newdata, needed)
  lapply(places, function(at) if (is.data.frame(newdata)) newdata[[at]] else newdata[, at])
}

needed_places <- function(object, newdata, needed) {
  names <- object$about$column_names
  if (is.null(names) || is.null(colnames(newdata))) {
    expected <- object$about$n_columns
    if (ncol(newdata) != expected) {
      refuse(sprintf("newdata has %d columns, and %d were learned from", ncol(newdata), expected))
    }
    return(needed)
  }
  wanted <- unlist(names)[needed]
  places <- match(wanted, enc2utf8(colnames(newdata)))
  if (anyNA(places)) {
    refuse(sprintf(
      "newdata has no column `%s`, which the model needs; needed are %s",
      wanted[is.na(places)][1L], shortened(wanted)
    ))
  }
  places
}

# A variable of a formula.
evaluated <- function(object, at, newdata) {
  expression <- object$variables[[at]]
  missing <- setdiff(all.vars(expression), names(newdata))
  there <- vapply(missing, exists, NA, envir = object$environment)
  if (any(!there)) {
    refuse(sprintf("newdata has no column `%s`, which the model needs", missing[!there][1L]))
  }
  v <- eval(expression, newdata, object$environment)
  if (nrow_of(v) != nrow(newdata)) {
    refuse(sprintf("newdata has no column `%s` of its own length", deparse1(expression)))
  }
  v
}

# At most five names.
shortened <- function(names) {
  more <- length(names) - 5L
  paste0(
    paste0("`", names[seq_len(min(5L, length(names)))], "`", collapse = ", "),
    if (more > 0L) sprintf(" and %d more", more) else ""
  )
}

# Names of all columns; x1, x2, ... where there were none.
column_names <- function(object) {
  names <- unlist(object$about$column_names)
  if (is.null(names)) paste0("x", seq_len(object$about$n_columns)) else names
}
