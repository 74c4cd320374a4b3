# From R to the compiled half and back: a request as JSON, arrays beside it.

# What went wrong, by how a job ended.
kinds_of_error <- c("pfcvm_refused", "pfcvm_too_large", "pfcvm_not_written", "pfcvm_internal")

# Does what a request asks for. What is refused becomes a condition of R, one sentence.
ask <- function(what, ..., engine = NULL, x = NULL, codes = NULL, weights = NULL, bytes = NULL) {
  request <- to_json(c(list(what = what), list(...)))
  reply <- .Call(C_pfcvm_call, request, engine, x, codes, weights, bytes)
  if (reply$status != 0L) {
    refuse(reply$text, kinds_of_error[reply$status])
  }
  reply
}

# Stops with a condition of its own class, without the call: the sentence says what and where.
refuse <- function(message, class = "pfcvm_refused") {
  stop(structure(class = c(class, "pfcvm_error", "error", "condition"),
    list(message = message, call = NULL)))
}

# Warns with a condition of its own class.
tell <- function(message, class) {
  warning(structure(class = c(class, "pfcvm_warning", "warning", "condition"),
    list(message = message, call = NULL)))
}

# A vector that is a list in JSON, whatever its length.
several <- function(x) structure(list(x), class = "pfcvm_several")

# JSON with every bit of every number, which jsonlite rounds.
to_json <- function(x) {
  if (inherits(x, "pfcvm_several")) {
    return(paste0("[", paste(json_values(x[[1L]]), collapse = ","), "]"))
  }
  if (is.null(x) || (is.atomic(x) && length(x) == 1L && is.na(x))) {
    return("null")
  }
  if (is.list(x)) {
    parts <- vapply(x, to_json, "")
    if (is.null(names(x))) {
      return(paste0("[", paste(parts, collapse = ","), "]"))
    }
    return(paste0("{", paste0(json_values(names(x)), ":", parts, collapse = ","), "}"))
  }
  if (length(x) != 1L) {
    return(to_json(several(x)))
  }
  json_values(x)
}

json_values <- function(x) {
  if (length(x) == 0L) {
    return(character())
  }
  if (is.logical(x)) {
    return(ifelse(x, "true", "false"))
  }
  if (is.integer(x)) {
    return(sprintf("%d", x))
  }
  if (is.numeric(x)) {
    if (!all(is.finite(x))) {
      refuse("a setting is not a finite number; give another value")
    }
    return(sprintf("%.17g", x))
  }
  if (!is.character(x)) {
    refuse(sprintf("a setting is of class %s; give a number, a text or a truth value", class(x)[1L]))
  }
  quoted(enc2utf8(x))
}

# Texts in quotes; a gap among names has none.
quoted <- function(x) {
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  for (code in which(vapply(1:31, function(code) any(grepl(intToUtf8(code), x, fixed = TRUE)), NA))) {
    x <- gsub(intToUtf8(code), sprintf("\\u%04x", code), x, fixed = TRUE)
  }
  paste0("\"", x, "\"")
}

from_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

# One entry of every element of a list, as numbers; NA where there is none.
numbers_of <- function(all, key) {
  vapply(all, function(one) if (is.null(one[[key]])) NA_real_ else as.numeric(one[[key]]), 0)
}

texts_of <- function(all, key) {
  vapply(all, function(one) if (is.null(one[[key]])) NA_character_ else one[[key]], "")
}

# What has learned, as the compiled half has it. A pointer that was lost (readRDS, another process) is
# found again from the state.
engine_of <- function(object) {
  place <- object$engine
  if (.Call(C_pfcvm_is_lost, place$pointer)) {
    place$pointer <- ask("revive", bytes = object$state)$engine
  }
  place$pointer
}
