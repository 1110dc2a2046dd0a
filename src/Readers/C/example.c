/* A small command line: example cat DIRECTORY [--follow] | info DIRECTORY | json SCHEMA MESSAGE | verify SCHEMA MESSAGE [--exact].
   gcc -std=c11 -O2 -o example example.c bufferedmessages.c */
#define _POSIX_C_SOURCE 200809L
#include "bufferedmessages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int to_file(void *file, const char *text, size_t length) { return fwrite(text, 1, length, file) == length ? 0 : 1; }

static int to_nothing(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
    return 0;
}

static int report(const bm_error *error)
{
    if (error->rule == NULL) {
        /* The sink ended the writing. */
        return 2;
    }
    fprintf(stderr, "%s, byte %" PRIu64 ": %s\n", error->text[0] == 0 ? "the message" : error->text, error->position, error->rule);
    return 2;
}

static void print_text(const void *text, size_t length) { bm_write_json_text(text, length, to_file, stdout); }

static void print_base64(const uint8_t *p, size_t length)
{
    static const char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < length; at += 3) {
        size_t rest = length - at;
        uint32_t bits = (uint32_t)p[at] << 16 | (rest > 1 ? (uint32_t)p[at + 1] << 8 : 0) | (rest > 2 ? p[at + 2] : 0);
        printf("%c%c%c%c", Digits[bits >> 18], Digits[bits >> 12 & 63], rest > 1 ? Digits[bits >> 6 & 63] : '=', rest > 2 ? Digits[bits & 63] : '=');
    }
}

static void *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t size = 0;
    *length = 0;
    if (file == NULL) {
        perror(path);
        return NULL;
    }
    do {
        size = size == 0 ? 65536 : size * 2;
        char *larger = realloc(data, size);
        if (larger == NULL) {
            break;
        }
        data = larger;
        *length += fread(data + *length, 1, size - *length, file);
    } while (*length == size);
    if (ferror(file)) {
        /* A folder can be opened, but not read. */
        perror(path);
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

static bm_schema *load_schema(const char *path)
{
    size_t length;
    bm_error error;
    char *text = read_file(path, &length);
    bm_schema *schema = text == NULL ? NULL : bm_schema_parse_stored(text, length, &error);
    if (text != NULL && schema == NULL) {
        report(&error);
    }
    free(text);
    return schema;
}

static int with_message(const char *command, char **paths, bool exact)
{
    size_t length;
    bm_error error;
    int result = 2;
    bm_schema *schema = load_schema(paths[0]);
    void *message = schema == NULL ? NULL : read_file(paths[1], &length);
    if (message != NULL && strcmp(command, "verify") == 0) {
        bool valid = bm_verify(message, length, schema, exact, &error);
        result = valid ? 0 : 1;
        if (valid) {
            puts("valid");
        } else {
            printf("%s, byte %" PRIu64 ": %s\n", error.text[0] == 0 ? "the message" : error.text, error.position, error.rule);
        }
    } else if (message != NULL) {
        result = bm_write_json(message, length, schema, to_file, stdout, &error);
        result = result == 0 ? (puts(""), 0) : report(&error);
    }
    free(message);
    bm_schema_free(schema);
    return result;
}

/* The ticks as .NET prints them; they are a part of no message, so that the schema of one is borrowed. */
static void print_time(uint64_t ticks)
{
    static const char Schema[] = "message Time\n0 datetime T\n";
    uint8_t message[16] = {1, 0, 1, 0, 16};
    char line[64] = "";
    bm_error error;
    bm_schema *schema = bm_schema_parse(Schema, sizeof Schema - 1, &error);
    FILE *memory = fmemopen(line, sizeof line, "w");
    /* The kind of a UTC time, unless the bits of the kind are a part of the number: that is no time. */
    ticks = ticks >> 62 == 0 ? ticks | UINT64_C(1) << 62 : UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        message[8 + i] = (uint8_t)(ticks >> (8 * i));
    }
    int result = memory == NULL || schema == NULL ? -1 : bm_write_json(message, sizeof message, schema, to_file, memory, &error);
    if (memory != NULL) {
        fclose(memory);
    }
    bm_schema_free(schema);
    size_t length = strlen(line);
    printf("%.*s", result == 0 && length > 6 ? (int)(length - 6) : 4, result == 0 && length > 6 ? line + 5 : "null");
}

static void print_guid(const uint8_t *p)
{
    printf("\"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\"", p[3], p[2], p[1], p[0], p[5], p[4], p[7], p[6], p[8], p[9],
        p[10], p[11], p[12], p[13], p[14], p[15]);
}

static uint64_t number(const uint8_t *p, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | p[i];
    }
    return value;
}

static void print_hex(const uint8_t *p, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        printf("%02x", p[i]);
    }
}

static void print_property(const bm_property *property, bool is_first_header)
{
    const uint8_t *data = property->data;
    size_t length = property->length;
    static const char *const Names[] = {"correlation", "replyTo", "attempts", "reason"};
    switch (property->kind) {
    case 1:
        fputs("\"time\":", stdout);
        print_time(length == 8 ? number(data, 8) : 0);
        break;
    case 2:
        fputs("\"trace\":\"00-", stdout);
        print_hex(data, 16);
        putchar('-');
        print_hex(data + 16, 8);
        putchar('-');
        print_hex(data + 24, 1);
        putchar('"');
        if (length > 25) {
            fputs(",\"traceState\":", stdout);
            print_text(data + 25, length - 25);
        }
        break;
    case 3:
        fputs("\"source\":{\"queue\":", stdout);
        print_guid(data);
        printf(",\"epoch\":%" PRIu64 ",\"position\":%" PRId64 "}", number(data + 16, 8), (int64_t)number(data + 24, 8));
        break;
    case 6:
        printf("\"attempts\":%" PRIu64, number(data, 4));
        break;
    case 8: {
        size_t name = (size_t)number(data, 2);
        fputs(is_first_header ? "\"headers\":{" : "", stdout);
        print_text(data + 2, name);
        putchar(':');
        print_text(data + 2 + name, length - 2 - name);
        break;
    }
    default:
        printf("\"%s\":", Names[property->kind - 4]);
        print_text(data, length);
        break;
    }
}

static void print_properties(const bm_record *record)
{
    size_t offset = 0;
    bm_property property;
    uint16_t last = 0;
    fputs(",\"properties\":{", stdout);
    while (bm_record_property(record, &offset, &property) == 1) {
        if (property.kind > 8) {
            continue;
        }
        if (last != 0) {
            putchar(',');
        }
        print_property(&property, last != 8);
        last = property.kind;
    }
    fputs(last == 8 ? "}}" : "}", stdout);
}

/* A message is read before a part of it is printed: each line is whole. */
static int print_record(const bm_record *record, const bm_schema *schema, bm_error *error)
{
    if (schema != NULL && bm_write_json(record->payload, record->length, schema, to_nothing, NULL, error) != 0) {
        fprintf(stderr, "the record at %" PRId64 ": ", record->position);
        return -1;
    }
    printf("{\"position\":%" PRId64 ",\"epoch\":%" PRIu64, record->position, record->epoch);
    if (record->properties_length > 0) {
        print_properties(record);
    }
    int result = 0;
    if (schema != NULL) {
        fputs(",\"message\":", stdout);
        result = bm_write_json(record->payload, record->length, schema, to_file, stdout, error);
    } else {
        fputs(",\"payload\":\"", stdout);
        print_base64(record->payload, record->length);
        putchar('"');
    }
    puts("}");
    return result;
}

static int cat(const char *directory, bool follow)
{
    bm_error error;
    bm_record record;
    bm_queue_info info;
    bm_schema *schema = NULL;
    size_t schema_bytes = 0;
    bm_queue *queue = bm_queue_open(directory, &error);
    int result = queue == NULL ? -1 : 1;
    while (result == 1 || (result == 0 && follow)) {
        result = bm_queue_next(queue, &record, &error);
        if (result == 0 && follow) {
            if (fflush(stdout) == 0) {
                nanosleep(&(struct timespec){0, 10000000}, NULL);
            } else {
                error.rule = NULL;
                result = -1;
            }
        }
        if (result != 1) {
            continue;
        }
        bm_queue_get_info(queue, &info);
        /* A producer may have added a version before it wrote the record. */
        if (info.content == BM_MESSAGES && (schema == NULL || info.schema_bytes != schema_bytes)) {
            bm_schema_free(schema);
            schema = bm_schema_parse_stored(info.schema_text, info.schema_bytes, &error);
            schema_bytes = info.schema_bytes;
            result = schema == NULL ? -1 : 1;
        }
        if (result == 1 && print_record(&record, schema, &error) != 0) {
            result = -1;
        }
        if (ferror(stdout)) {
            error.rule = NULL;
            result = -1;
        }
    }
    bm_schema_free(schema);
    bm_queue_close(queue);
    return result < 0 ? report(&error) : 0;
}

static int print_info(const char *directory)
{
    static const char *const Contents[] = {"undecided", "raw", "messages", "values"};
    bm_error error;
    bm_queue_info info;
    bm_queue *queue = bm_queue_open(directory, &error);
    if (queue == NULL) {
        return report(&error);
    }
    bm_queue_get_info(queue, &info);
    if (info.first_segment == INT64_MAX) {
        bm_queue_close(queue);
        fprintf(stderr, "%s: a slot of the ring names a segment of another slot\n", directory);
        return 2;
    }
    fputs("{\n  \"id\": ", stdout);
    print_guid(info.id);
    printf(",\n  \"epoch\": %" PRIu64 ",\n  \"mode\": \"%s\",\n  \"producers\": \"%s\"", info.epoch, info.mode == BM_DURABLE ? "durable" : "bounded",
        info.has_one_producer ? "single" : "multiple");
    printf(",\n  \"segmentBytes\": %" PRId64 ",\n  \"slots\": %" PRIu32 ",\n  \"checksums\": %s,\n  \"created\": ", info.segment_bytes, info.slots,
        info.has_checksums ? "true" : "false");
    print_time((uint64_t)info.created);
    printf(",\n  \"content\": \"%s\",\n  \"firstSegment\": %" PRId64 ",\n  \"openSegments\": %" PRId64 ",\n  \"schema\": ",
        info.content < 4 ? Contents[info.content] : "unknown", info.first_segment, info.open_segments);
    print_text(info.schema_text, info.schema_bytes);
    puts("\n}");
    bm_queue_close(queue);
    return 0;
}

static int run(int count, char **arguments)
{
    const char *command = count > 1 ? arguments[1] : "";
    if (count == 3 && strcmp(command, "info") == 0) {
        return print_info(arguments[2]);
    }
    if ((count == 3 || (count == 4 && strcmp(arguments[3], "--follow") == 0)) && strcmp(command, "cat") == 0) {
        return cat(arguments[2], count == 4);
    }
    int is_exact = count == 5 && strcmp(arguments[4], "--exact") == 0;
    if ((count == 4 && strcmp(command, "json") == 0) || ((count == 4 || is_exact) && strcmp(command, "verify") == 0)) {
        return with_message(command, arguments + 2, is_exact);
    }
    fputs("example cat DIRECTORY [--follow] | info DIRECTORY | json SCHEMA MESSAGE | verify SCHEMA MESSAGE [--exact]\n", stderr);
    return 2;
}

int main(int count, char **arguments)
{
    int result = run(count, arguments);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("the output cannot be written: its disk may be full\n", stderr);
        return 2;
    }
    return result;
}
