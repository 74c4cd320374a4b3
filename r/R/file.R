#' Model files
#'
#' The file is JSON, holds no code, and gives the same predictions to the bit wherever it is read: by the
#' program \code{pfcvm}, in Python, and here. The same data and settings give the same bytes.
#'
#' @param object A fitted \code{\link{pfcvm}}.
#' @param path The file.
#' @param label Name of the label column, for the program; \code{NULL}: that of the formula, or of the
#'   file the model was read from.
#' @param checked Whether the checksum of the file must fit. \code{FALSE} is for a file that was changed
#'   on purpose; everything else in it is checked all the same.
#'
#' @return \code{save_model}: the object, invisibly. \code{load_model}: a fitted \code{\link{pfcvm}}
#'   without its trace.
#' @examples
#' model <- pfcvm(Species ~ ., iris, certainty = "off")
#' path <- tempfile(fileext = ".json")
#' save_model(model, path)
#' load_model(path)
#' @export
save_model <- function(object, path, label = NULL) {
  label <- if (is.null(label)) object$label else label
  ask("write",
    path = path.expand(one_text(path, "path")), label = maybe(label, one_text, "label"),
    engine = engine_of(object)
  )
  invisible(object)
}

#' @rdname save_model
#' @export
load_model <- function(path, checked = TRUE) {
  path <- path.expand(one_text(path, "path"))
  reply <- ask("read", path = path, checked = one_truth(checked, "checked"))
  as_model(reply, match.call())
}
