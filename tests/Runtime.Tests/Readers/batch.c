/* Reads a file of messages and prints what the C reader says of each: batch FILE. batch.py describes the file and the lines; the last column is
   empty here, because this reader does not write. */
#include "bufferedmessages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int to_output(void *context, const char *text, size_t length)
{
    (void)context;
    return fwrite(text, 1, length, stdout) == length ? 0 : 1;
}

static uint32_t next_number(FILE *file)
{
    uint8_t bytes[4];
    if (fread(bytes, 1, 4, file) != 4) {
        exit(2);
    }
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Of exactly its size, so that a sanitizer sees a read after its end. */
static char *next_bytes(FILE *file, size_t length)
{
    char *bytes = malloc(length);
    if ((bytes == NULL && length > 0) || fread(bytes, 1, length, file) != length) {
        exit(2);
    }
    return bytes;
}

static void print_error(bool is_valid, const bm_error *error)
{
    if (is_valid) {
        fputs("\t0\t", stdout);
    } else {
        printf("%s\t%" PRIu64 "\t%s", error->rule, error->position, error->text);
    }
}

static void print_message(FILE *file, const bm_schema *schema)
{
    bm_error error;
    int is_read = fgetc(file);
    uint32_t length = next_number(file);
    char *message = next_bytes(file, length);
    print_error(bm_verify(message, length, schema, false, &error), &error);
    putchar('\t');
    print_error(bm_verify(message, length, schema, true, &error), &error);
    if (is_read == 1) {
        putchar('\t');
        if (bm_write_json(message, length, schema, to_output, NULL, &error) != 0) {
            exit(3);
        }
        putchar('\t');
    }
    putchar('\n');
    free(message);
}

int main(int count, char **arguments)
{
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) {
        return 2;
    }
    for (int next = fgetc(file); next != EOF; next = fgetc(file)) {
        bm_error error;
        ungetc(next, file);
        uint32_t length = next_number(file);
        char *text = next_bytes(file, length);
        bm_schema *schema = bm_schema_parse(text, length, &error);
        if (schema == NULL) {
            fprintf(stderr, "%s: %s\n", error.text, error.rule);
            return 4;
        }
        for (uint32_t messages = next_number(file); messages > 0; messages--) {
            print_message(file, schema);
        }
        bm_schema_free(schema);
        free(text);
    }
    fclose(file);
    return 0;
}
