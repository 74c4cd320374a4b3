/* The only part of the package that calls R.
 *
 * R may leave any of its functions by a jump. None of ours is on the stack then: Rust has returned
 * before anything of R is called, and what a job holds is let go by R_ExecWithCleanup. */
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How often R is asked whether it was interrupted, in milliseconds. */
#define WATCH 50

typedef struct {
    const char *request;
    size_t request_length;
    const void *engine;
    const double *x;
    size_t rows, columns;
    const int *codes;
    size_t n_codes;
    const double *weights;
    size_t n_weights;
    const unsigned char *bytes;
    size_t n_bytes;
} Ask;

typedef struct Job Job;
extern Job *pfcvm_start(const Ask *);
extern int pfcvm_wait(Job *, int milliseconds);
extern const char *pfcvm_said(const Job *);
extern int pfcvm_status(const Job *);
extern const void *pfcvm_engine(const Job *);
extern void pfcvm_forget(const void *engine);
extern size_t pfcvm_tables(const Job *);
extern const double *pfcvm_table(const Job *, size_t at, size_t *rows, size_t *columns);
extern const unsigned char *pfcvm_bytes(const Job *, size_t *length);
extern void pfcvm_end(Job *);

static void forget(SEXP pointer)
{
    void *engine = R_ExternalPtrAddr(pointer);
    if (engine) {
        R_ClearExternalPtr(pointer);
        pfcvm_forget(engine);
    }
}

static SEXP kept(const Job *job)
{
    /* The place for it first: an engine without one would never be let go. */
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, forget, TRUE);
    R_SetExternalPtrAddr(pointer, (void *)pfcvm_engine(job));
    UNPROTECT(1);
    return pointer;
}

static SEXP tables(const Job *job)
{
    size_t count = pfcvm_tables(job);
    SEXP all = PROTECT(allocVector(VECSXP, (R_xlen_t)count));
    for (size_t at = 0; at < count; at++) {
        size_t rows, columns;
        const double *values = pfcvm_table(job, at, &rows, &columns);
        SEXP table = allocMatrix(REALSXP, (int)rows, (int)columns);
        SET_VECTOR_ELT(all, (R_xlen_t)at, table);
        if (rows * columns > 0)
            memcpy(REAL(table), values, rows * columns * sizeof(double));
    }
    UNPROTECT(1);
    return all;
}

static SEXP bytes(const Job *job)
{
    size_t length;
    const unsigned char *values = pfcvm_bytes(job, &length);
    SEXP raw = allocVector(RAWSXP, (R_xlen_t)length);
    if (length > 0)
        memcpy(RAW(raw), values, length);
    return raw;
}

/* Waits, prints lines, and lets R jump away if the user wants no more. */
static SEXP follow(void *data)
{
    Job *job = data;
    for (int state = 0; state != 2;) {
        state = pfcvm_wait(job, WATCH);
        if (state == 1)
            Rprintf("%s\n", pfcvm_said(job));
        R_CheckUserInterrupt();
    }
    const char *names[] = {"status", "text", "engine", "tables", "bytes", ""};
    SEXP reply = PROTECT(mkNamed(VECSXP, names));
    SET_VECTOR_ELT(reply, 0, ScalarInteger(pfcvm_status(job)));
    SET_VECTOR_ELT(reply, 1, ScalarString(mkCharCE(pfcvm_said(job), CE_UTF8)));
    SET_VECTOR_ELT(reply, 2, kept(job));
    SET_VECTOR_ELT(reply, 3, tables(job));
    SET_VECTOR_ELT(reply, 4, bytes(job));
    UNPROTECT(1);
    return reply;
}

static void end(void *data)
{
    pfcvm_end(data);
}

/* A request as JSON, what was learned before, rows, classes, weights, the bytes of a state; those that a
 * request does not need are NULL. */
static SEXP call(SEXP request, SEXP engine, SEXP x, SEXP codes, SEXP weights, SEXP state)
{
    Ask ask = {0};
    ask.request = CHAR(STRING_ELT(request, 0));
    ask.request_length = strlen(ask.request);
    if (TYPEOF(engine) == EXTPTRSXP)
        ask.engine = R_ExternalPtrAddr(engine);
    if (TYPEOF(x) == REALSXP && isMatrix(x)) {
        ask.x = REAL(x);
        ask.rows = (size_t)nrows(x);
        ask.columns = (size_t)ncols(x);
    }
    if (TYPEOF(codes) == INTSXP) {
        ask.codes = INTEGER(codes);
        ask.n_codes = (size_t)XLENGTH(codes);
    }
    if (TYPEOF(weights) == REALSXP) {
        ask.weights = REAL(weights);
        ask.n_weights = (size_t)XLENGTH(weights);
    }
    if (TYPEOF(state) == RAWSXP) {
        ask.bytes = RAW(state);
        ask.n_bytes = (size_t)XLENGTH(state);
    }
    Job *job = pfcvm_start(&ask);
    return R_ExecWithCleanup(follow, job, end, job);
}

/* Whether a pointer leads nowhere, as after readRDS. */
static SEXP is_lost(SEXP engine)
{
    return ScalarLogical(TYPEOF(engine) != EXTPTRSXP || !R_ExternalPtrAddr(engine));
}

static const R_CallMethodDef entries[] = {
    {"pfcvm_call", (DL_FUNC)&call, 6},
    {"pfcvm_is_lost", (DL_FUNC)&is_lost, 1},
    {NULL, NULL, 0},
};

void R_init_pfcvm(DllInfo *info)
{
    R_registerRoutines(info, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
}
