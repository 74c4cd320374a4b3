#' Learn which features matter, and classify
#'
#' Fits the probabilistic feature selection and classification vector machine: a kernel machine with one
#' non-negative weight for each sample and one for each feature, sparse priors on both, and probabilities
#' that are averaged over what is uncertain. The fit is done again without each of five parts of the rows;
#' the rows that were left out say whether anything was found at all, make the probabilities honest, and
#' tell the features that are certain.
#'
#' Factors, character and logical columns are words, dates are days, and \code{NA} is a gap; nothing has
#' to be filled in or spread over columns. Rows whose label is \code{NA} are left out, or used with
#' \code{unlabelled = TRUE}. Of a formula every
#' term must be a variable or a function of one (\code{y ~ .}, \code{y ~ a + log(b)}); which of them act
#' together is the kernel's work.
#'
#' Probabilities and decision values of two classes are for the second: the second level of a factor, else
#' the larger number or the later word.
#'
#' With more features than samples, and nothing said of the kernel and the samples, a panel is made
#' instead, as by the program; see \code{\link{pfcvm_panel}}.
#'
#' A fit can be interrupted. What cannot be fitted is an error of class \code{pfcvm_error} in one
#' sentence. A fit that finds nothing warns (\code{pfcvm_nothing_found}), and so does one that did not
#' settle (\code{pfcvm_not_settled}).
#'
#' @param x A matrix or data frame with a row for each sample; a formula; or a
#'   \code{SummarizedExperiment}, whose columns are the samples.
#' @param y The classes, one for each row: a factor, text, numbers or truth values. Of a
#'   \code{SummarizedExperiment}, the name of a column of \code{colData}.
#' @param formula,data A formula, and the data frame its variables are in.
#' @param assay Of a \code{SummarizedExperiment}: which assay, by name or number.
#' @param kernel \code{"rbf"} for curved boundaries, \code{"linear"} for straight ones,
#'   \code{"poly:2"} in between; \code{"auto"} finds out which suits the data.
#' @param false_positive_rate How likely a feature of pure noise is to be called certain, above 0 and
#'   below 0.5.
#' @param max_false Call so many features certain that at most this many of them are expected to be
#'   false; \code{NULL}: as the rate has it.
#' @param certainty Whether rows that did not train are asked how sure all is: \code{"on"},
#'   \code{"insist"} (features are listed even where none does better than chance) or \code{"off"},
#'   which takes about a tenth of the time. \code{NULL}: as the algorithm has it.
#' @param size At most this many features; \code{NULL}: all that the fit keeps.
#' @param goal \code{"list"}: prediction needs the listed features alone. \code{"accuracy"}: a machine of
#'   all features stands beside the list.
#' @param samples \code{"few"}, \code{"frozen"} or \code{"dense"}: how many samples are remembered;
#'   \code{"auto"}: as the data ask for.
#' @param standardise Whether features are shifted and scaled, as part of the model.
#' @param class_weight \code{NULL}, \code{"balanced"}, or a factor for each class, in their order or by
#'   their names.
#' @param weights How many samples each row counts for: a weight of 2 is the same as a row that comes
#'   twice, to the last bit.
#' @param feature_groups Columns that are selected together and share one weight: a group for each column
#'   (\code{NA}: it is by itself), or groups named by columns.
#' @param scheme With more than two classes: \code{"joint"} (one model and one list for all),
#'   \code{"one-vs-one"} or \code{"one-vs-rest"}.
#' @param algorithm \code{"mended"}, or \code{"paper"}: the published algorithm to the letter.
#' @param truncation How weights are kept from below 0: \code{"exact"}, or the steepness of the paper's
#'   smooth function; \code{NULL}: as the algorithm has it.
#' @param max_basis Up to this many samples all are candidates to be remembered; of more, a draw.
#' @param max_iterations,tolerance When a stage of the fit ends; \code{NULL}: as the stages have it.
#' @param memory_limit Refuse a fit that needs more than this many MiB; \code{NULL}: more than the system
#'   can give.
#' @param parallel Whether several threads are used. The result does not depend on it.
#' @param verbose Whether every iteration prints a line.
#' @param seed Of the draw of candidates among more than \code{max_basis} samples.
#' @param unlabelled Whether rows whose label is \code{NA} are used where labelled rows that were held out
#'   say that they help; a message says which it was, and \code{model$about$unlabelled} has the figures. Their
#'   weights are not looked at, but for 0. A model that used them has no other figures from held-out rows.
#' @param keep_rows Training rows that are kept at most, in all columns, so that \code{\link{pfcvm_update}} can
#'   learn on from them; at least 10 (5000 is a good number). \code{NULL}: none. Model files have them too.
#' @param ... Passed from one method to another.
#'
#' @return An object of class \code{pfcvm}. It can be saved with \code{saveRDS}, and with
#'   \code{\link{save_model}} as a file that the program reads.
#' @seealso \code{\link{predict.pfcvm}}, \code{\link{features}}, \code{\link{plot.pfcvm}},
#'   \code{\link{pfcvm_test}}
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' model <- pfcvm(Species ~ ., flowers)
#' model
#' features(model)
#' predict(model, flowers[c(1, 100), ], type = "prob")
#' @export
pfcvm <- function(x, ...) UseMethod("pfcvm")

#' @rdname pfcvm
#' @export
pfcvm.default <- function(x, y, kernel = "auto", false_positive_rate = 0.05, max_false = NULL,
                          certainty = NULL, size = NULL, goal = "list", samples = "auto",
                          standardise = TRUE, class_weight = NULL, weights = NULL,
                          feature_groups = NULL, scheme = "joint", algorithm = "mended",
                          truncation = NULL, max_basis = 2000L, max_iterations = NULL,
                          tolerance = NULL, memory_limit = NULL, parallel = TRUE, verbose = FALSE,
                          seed = 0L, unlabelled = FALSE, keep_rows = NULL, ...) {
  nothing_else(...)
  settings <- list(
    algorithm = one_text(algorithm, "algorithm"),
    kernel = one_text(kernel, "kernel"),
    false_positive_rate = one_number(false_positive_rate, "false_positive_rate"),
    max_false = maybe(max_false, one_number, "max_false"),
    size = maybe(size, one_whole, "size"),
    goal = one_text(goal, "goal"),
    samples = one_text(samples, "samples"),
    standardise = one_truth(standardise, "standardise"),
    max_basis = one_whole(max_basis, "max_basis"),
    seed = one_whole(seed, "seed")
  )
  settings <- c(settings, stated(
    certainty = maybe(certainty, one_text, "certainty"),
    truncation = maybe(truncation, function(value, name) {
      if (is.numeric(value)) sprintf("sigmoid:%.17g", one_number(value, name)) else one_text(value, name)
    }, "truncation"),
    max_iterations = maybe(max_iterations, one_whole, "max_iterations"),
    tolerance = maybe(tolerance, one_number, "tolerance")
  ))
  way <- way(memory_limit, parallel, verbose, panel_if_many = TRUE, keep_rows)
  samples <- training(x, y, weights, feature_groups, unlabelled)
  fitted_to(samples, settings, class_weight, scheme, way, panel = FALSE, match.call())
}

#' @rdname pfcvm
#' @export
pfcvm.formula <- function(formula, data, ..., weights = NULL) {
  parts <- of_formula(formula, data)
  weights <- eval(substitute(weights), data, environment(formula))
  model <- pfcvm.default(parts$x, parts$y, ..., weights = weights)
  with_formula(model, parts, match.call())
}

#' A short list of features that holds across halves of the samples
#'
#' For far more features than samples, as in gene expression: machines on halves of the data share one
#' precision per feature, on ranks instead of values. What comes out is a list of stated size with
#' selection frequencies, averaged probabilities, and a verdict on whether a short list is the right tool.
#'
#' @param x,y,formula,data,assay,false_positive_rate,max_false,standardise,class_weight,weights As of
#'   \code{\link{pfcvm}}.
#' @param goal,feature_groups,scheme,memory_limit,parallel,verbose,... As of \code{\link{pfcvm}}.
#' @param size At most this many features are listed.
#' @param members Number of machines on halves of the samples; even.
#' @param certainty \code{"on"}, \code{"insist"} or \code{"off"}.
#' @param ranks Whether scaled values become ranks within their feature.
#' @param seed Of the halves.
#'
#' @return An object of class \code{pfcvm}.
#' @examples
#' panel <- pfcvm_panel(type ~ ., drawn_genes(samples = 40, genes = 100), size = 5, members = 10)
#' features(panel)
#' @export
pfcvm_panel <- function(x, ...) UseMethod("pfcvm_panel")

#' @rdname pfcvm_panel
#' @export
pfcvm_panel.default <- function(x, y, size = 20L, members = 40L, false_positive_rate = 0.05,
                                max_false = NULL, certainty = "on", goal = "list",
                                standardise = TRUE, ranks = TRUE, class_weight = NULL,
                                weights = NULL, feature_groups = NULL, scheme = "joint",
                                memory_limit = NULL, parallel = TRUE, verbose = FALSE, seed = 0L,
                                ...) {
  nothing_else(...)
  settings <- list(
    size = one_whole(size, "size"),
    members = one_whole(members, "members"),
    false_positive_rate = one_number(false_positive_rate, "false_positive_rate"),
    max_false = maybe(max_false, one_number, "max_false"),
    certainty = one_text(certainty, "certainty"),
    goal = one_text(goal, "goal"),
    standardise = one_truth(standardise, "standardise"),
    ranks = one_truth(ranks, "ranks"),
    seed = one_whole(seed, "seed")
  )
  way <- way(memory_limit, parallel, verbose, panel_if_many = FALSE)
  samples <- training(x, y, weights, feature_groups)
  fitted_to(samples, settings, class_weight, scheme, way, panel = TRUE, match.call())
}

#' @rdname pfcvm_panel
#' @export
pfcvm_panel.formula <- function(formula, data, ..., weights = NULL) {
  parts <- of_formula(formula, data)
  weights <- eval(substitute(weights), data, environment(formula))
  model <- pfcvm_panel.default(parts$x, parts$y, ..., weights = weights)
  with_formula(model, parts, match.call())
}

# The fit itself, as an object.
fitted_to <- function(samples, settings, class_weight, scheme, way, panel, call) {
  settings$class_weights <- class_weights(class_weight, samples$classes)
  reply <- ask("fit",
    table = samples$about, scheme = one_text(scheme, "scheme"), settings = settings, way = way,
    panel = panel, x = samples$x, codes = samples$codes, weights = samples$weights
  )
  model <- as_model(reply, call)
  for (note in unlist(model$about$notes)) {
    message(note)
  }
  tell_ending(model)
  model
}

# What came back, with a state that outlives the pointer.
as_model <- function(reply, call, about = from_json(reply$text)) {
  place <- new.env(parent = emptyenv())
  place$pointer <- reply$engine
  state <- ask("state", engine = place$pointer)$bytes
  structure(
    list(call = call, engine = place, state = state, about = about,
      classes = unlist(about$classes), label = about$label),
    class = "pfcvm"
  )
}

# Tells of fits that found nothing or did not settle, and what can be done about it.
tell_ending <- function(model) {
  about <- model$about
  ends <- texts_of(about$machines, "termination")
  open <- ends[ends != "converged"]
  if (length(open)) {
    remedy <- c(
      max_iterations = "used up its iterations before it settled (max_iterations lets it go on)",
      numerical_breakdown = "broke down on numbers (features of very different sizes are the usual reason)"
    )[open[1L]]
    remedy <- if (is.na(remedy)) paste("ended as", open[1L]) else remedy
    tell(sprintf("the fit %s; its last weights are used", remedy), "pfcvm_not_settled")
  }
  if (isTRUE(about$nothing_found) && identical(about$settings$certainty, "on")) {
    tell(paste0(
      "no feature does better than chance on rows that did not train, so that none is listed and ",
      if (isTRUE(about$uses_all_features)) {
        "all of them predict"
      } else if (isTRUE(about$held_out$goals$beats_chance)) {
        "the shares of the classes are predicted; all features together do better, which goal = \"accuracy\" predicts with"
      } else {
        "the shares of the classes are predicted; certainty = \"insist\" lists what the fit has all the same"
      }
    ), "pfcvm_nothing_found")
  }
}

# Columns and labels of a formula, as they are.
of_formula <- function(formula, data) {
  if (missing(data)) {
    data <- environment(formula)
  } else if (!is.data.frame(data)) {
    refuse(sprintf("data is of class %s; give a data frame", class(data)[1L]))
  }
  if (length(formula) != 3L) {
    refuse("the formula has no label; write it on the left, as in y ~ .")
  }
  if (is.data.frame(data) && identical(formula[[3L]], quote(.))) {
    # The terms of thousands of columns would be a matrix of their square.
    x <- data[setdiff(names(data), all.vars(formula[[2L]]))]
    y <- eval(formula[[2L]], data, environment(formula))
    variables <- lapply(names(x), as.name)
    return(list(x = x, y = y, label = deparse1(formula[[2L]], backtick = FALSE),
      variables = variables, environment = environment(formula)))
  }
  terms <- stats::terms(formula, data = if (is.data.frame(data)) data)
  if (!is.null(attr(terms, "offset"))) {
    refuse("the formula has an offset, which this method does not know; leave it out")
  }
  if (any(attr(terms, "order") > 1L)) {
    refuse("the formula has interactions, which are the kernel's work; write the variables alone")
  }
  factors <- attr(terms, "factors")
  if (length(factors) == 0L) {
    refuse("the formula has no features; write them on the right, as in y ~ .")
  }
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  variables <- as.list(attr(attr(frame, "terms"), "predvars"))[-1L]
  places <- unname(which(rowSums(factors) > 0))
  list(
    x = frame[places], y = frame[[1L]], label = names(frame)[1L],
    variables = variables[places], environment = environment(formula)
  )
}

with_formula <- function(model, parts, call) {
  model$variables <- parts$variables
  # Functions of the user may be needed again; all of a workspace is not.
  model$environment <- parts$environment
  model$label <- parts$label
  model$call <- call
  model
}
