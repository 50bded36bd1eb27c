/* report/source, inside: statements of Fortran. Not a door. */
#ifndef REPORT_SOURCE_STATEMENT_H
#define REPORT_SOURCE_STATEMENT_H

/* The first line of the statement that goes on in this line of a Fortran source file: gfortran
 * gives a statement the place of its end. The line itself, if the file cannot be read. */
int report_source_statement(const char *file, int line);
void report_source_statements_clear(void);

#endif
