/* Damages messages and schema texts, and lets the C reader read them: fuzz FILE COUNT SEED, with a file as batch.py describes it. Or damages the files of a
   queue: fuzz DIRECTORY COUNT SEED. It is built with sanitizers, which end it at the first fault. */
#define _POSIX_C_SOURCE 200809L
#include "bufferedmessages.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % limit;
}

static int to_nowhere(void *context, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        *(uint64_t *)context += (uint8_t)text[i];
    }
    return 0;
}

struct piece {
    uint8_t *bytes;
    uint32_t length;
    uint32_t schema;
};

static struct piece *schemas, *messages;
static bm_schema **parsed;
static uint32_t schema_count, message_count;

static uint32_t number_at(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

static struct piece *add(struct piece *pieces, uint32_t *count, struct piece piece)
{
    pieces = realloc(pieces, (*count + 1) * sizeof *pieces);
    if (pieces == NULL) {
        exit(2);
    }
    pieces[(*count)++] = piece;
    return pieces;
}

static bool read_corpus(const char *path, uint32_t most)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    long size = ftell(file);
    uint8_t *data = malloc((size_t)size), *end = data + size;
    rewind(file);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        return false;
    }
    fclose(file);
    for (uint8_t *at = data; at < end;) {
        uint32_t length = number_at(at), count = number_at(at + 4 + length);
        schemas = add(schemas, &schema_count, (struct piece){at + 4, length, schema_count});
        at += 8 + length;
        for (; count > 0; count--) {
            length = number_at(at + 1);
            if (length <= most) {
                messages = add(messages, &message_count, (struct piece){at + 5, length, schema_count - 1});
            }
            at += 5 + length;
        }
    }
    return true;
}

static uint8_t *damaged_copy(const struct piece *piece, uint32_t *length)
{
    static const uint8_t Values[] = {0, 1, 7, 8, 0x7F, 0x80, 0x81, 0xFE, 0xFF};
    *length = random_below(8) == 0 ? random_below(piece->length + 1) : piece->length;
    uint8_t *copy = malloc(*length);
    if (copy == NULL && *length > 0) {
        exit(2);
    }
    memcpy(copy, piece->bytes, *length);
    for (uint32_t changes = *length == 0 ? 0 : random_below(5); changes > 0; changes--) {
        uint32_t at = random_below(*length);
        switch (random_below(3)) {
        case 0:
            copy[at] = Values[random_below(sizeof Values)];
            break;
        case 1:
            copy[at] ^= (uint8_t)(1u << random_below(8));
            break;
        default:
            copy[at] = (uint8_t)random_below(256);
            break;
        }
    }
    /* A header that fits the length lets more of the reader see the bytes. */
    if (*length >= 8 && random_below(2) == 0) {
        uint32_t total = *length & ~7u;
        for (int i = 0; i < 4; i++) {
            copy[4 + i] = (uint8_t)(total >> (8 * i));
        }
    }
    return copy;
}

struct file {
    uint8_t *data;
    uint32_t size;
};

static uint32_t map_files(const char *directory, struct file *files, uint32_t most)
{
    uint32_t count = 0;
    DIR *entries = opendir(directory);
    for (struct dirent *entry = entries == NULL ? NULL : readdir(entries); entry != NULL && count < most; entry = readdir(entries)) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        int file = open(path, O_RDWR);
        if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
            void *data = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (data == MAP_FAILED) {
                exit(2);
            }
            files[count++] = (struct file){data, (uint32_t)status.st_size};
        }
        if (file >= 0) {
            close(file);
        }
    }
    closedir(entries);
    return count;
}

/* Records read, or -1 if the queue is refused at some place. */
static int read_queue(const char *directory, uint64_t *sum)
{
    bm_error error;
    bm_record record;
    bm_queue_info info;
    bm_property property;
    int count = 0, result = 1;
    bm_queue *queue = bm_queue_open(directory, &error);
    if (queue == NULL) {
        return -1;
    }
    bm_queue_get_info(queue, &info);
    bm_schema *schema = bm_schema_parse_stored(info.schema_text, info.schema_bytes, &error);
    while (count < 300 && (result = bm_queue_next(queue, &record, &error)) == 1) {
        size_t offset = 0;
        to_nowhere(sum, (const char *)record.payload, record.length);
        while (bm_record_property(&record, &offset, &property) == 1) {
            to_nowhere(sum, (const char *)property.data, property.length);
        }
        if (schema != NULL) {
            bm_write_json(record.payload, record.length, schema, to_nowhere, sum, &error);
        }
        count++;
    }
    bm_schema_free(schema);
    bm_queue_close(queue);
    return result < 0 ? -1 : count;
}

static int fuzz_queue(const char *directory, uint64_t total)
{
    struct file files[16];
    uint64_t sum = 0, refused = 0, records = 0;
    uint32_t count = map_files(directory, files, 16);
    for (uint64_t i = 0; count > 0 && i < total; i++) {
        uint8_t *changed[8], before[8];
        uint32_t changes = 1 + random_below(4);
        for (uint32_t change = 0; change < changes; change++) {
            struct file file = files[random_below(count)];
            uint32_t at = random_below(4) == 0 ? random_below(file.size) : random_below(file.size < 3072 ? file.size : 3072);
            changed[change] = file.data + (random_below(8) == 0 && file.size > 180000 ? 167424 + random_below(512) : at);
            before[change] = *changed[change];
            *changed[change] = random_below(2) == 0 ? (uint8_t)random_below(256) : (uint8_t)(before[change] ^ (1u << random_below(8)));
        }
        int read = read_queue(directory, &sum);
        refused += read < 0;
        records += read < 0 ? 0 : (uint64_t)read;
        while (changes-- > 0) {
            *changed[changes] = before[changes];
        }
    }
    printf("%" PRIu64 " damaged queues: %" PRIu64 " refused, %" PRIu64 " records of the others; %" PRIx64 "\n", total, refused, records, sum);
    return count > 0 && refused > 0 && refused < total ? 0 : 1;
}

int main(int count, char **arguments)
{
    struct stat status;
    uint64_t total = count == 4 ? strtoull(arguments[2], NULL, 10) : 0, sum = 0, valid = 0, exact = 0, readable = 0, schemas_parsed = 0;
    bm_error error;
    state = count == 4 ? strtoull(arguments[3], NULL, 10) * 2 + 1 : 1;
    if (count == 4 && stat(arguments[1], &status) == 0 && S_ISDIR(status.st_mode)) {
        return fuzz_queue(arguments[1], total);
    }
    if (count != 4 || !read_corpus(arguments[1], 2048) || message_count == 0) {
        return 2;
    }
    parsed = calloc(schema_count, sizeof *parsed);
    for (uint32_t i = 0; i < schema_count; i++) {
        parsed[i] = bm_schema_parse((const char *)schemas[i].bytes, schemas[i].length, &error);
        if (parsed[i] == NULL) {
            return 3;
        }
    }
    for (uint64_t i = 0; i < total; i++) {
        uint32_t length;
        const struct piece *piece = &messages[random_below(message_count)];
        uint8_t *message = damaged_copy(piece, &length);
        const bm_schema *schema = parsed[random_below(16) == 0 ? random_below(schema_count) : piece->schema];
        bool is_valid = bm_verify(message, length, schema, false, &error);
        bool is_exact = bm_verify(message, length, schema, true, &error);
        bool is_readable = bm_write_json(message, length, schema, to_nowhere, &sum, &error) == 0;
        if ((is_exact && !is_valid) || (is_valid && !is_readable)) {
            fprintf(stderr, "message %" PRIu64 ": valid %d, exact %d, readable %d\n", i, is_valid, is_exact, is_readable);
            return 1;
        }
        valid += is_valid;
        exact += is_exact;
        readable += is_readable;
        free(message);
        if (i % 64 == 0) {
            uint8_t *text = damaged_copy(&schemas[random_below(schema_count)], &length);
            bm_schema *one = bm_schema_parse_stored((const char *)text, length, &error);
            schemas_parsed += one != NULL;
            bm_schema_free(one);
            free(text);
        }
    }
    printf("%" PRIu64 " damaged messages: %" PRIu64 " valid, %" PRIu64 " exact, %" PRIu64 " readable; %" PRIu64 " damaged schemas parsed; %" PRIx64 "\n",
        total, valid, exact, readable, schemas_parsed, sum);
    for (uint32_t i = 0; i < schema_count; i++) {
        bm_schema_free(parsed[i]);
    }
    free(parsed);
    free(schemas[0].bytes - 4);
    free(messages);
    free(schemas);
    return 0;
}
