/*
 * A reader of BufferedMessages that needs no .NET: messages (BMF1), schema texts and queue directories (BMQ, version 2). docs/format/ describes
 * the formats. One header and one source file, C11, libc and POSIX mmap only.
 *
 * There is no global state. A schema is immutable and may be used by any number of threads; a queue by one thread at a time. Memory is allocated by
 * bm_schema_parse, bm_queue_open and, for the copies of records of a bounded queue, bm_queue_next; never by a verification or a JSON writer.
 * Nothing outside of the given bytes is read, whatever they are. The stack holds at most 64 nested messages with the lists of their schema between
 * them.
 *
 * A file of a queue that is cut shorter while it is mapped ends the process with SIGBUS, as for every program that maps files.
 */
#ifndef BUFFEREDMESSAGES_H
#define BUFFEREDMESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fault and its place. */
typedef struct bm_error {
    const char *rule;  /* the broken rule of the format, a static text */
    uint64_t position; /* bytes from the start of the message or of the schema text, or the position in the queue */
    char text[1024];   /* of a message: the path of the member, empty for the message itself; else the line, or the file and the reason */
} bm_error;

/* ---- schema texts ---- */

typedef struct bm_schema bm_schema;

/* Reads the text of one version. NULL if it is not a schema text, has a line of a newer version, or memory is short. Free it with bm_schema_free. */
bm_schema *bm_schema_parse(const char *text, size_t length, bm_error *error);

/* Reads the newest version of a stored text, in which an empty line is between two versions. */
bm_schema *bm_schema_parse_stored(const char *text, size_t length, bm_error *error);

void bm_schema_free(bm_schema *schema);

/* XXH64 of the text without its notes, the lines that begin with #. */
uint64_t bm_schema_fingerprint(const bm_schema *schema);

/* ---- messages ---- */

/* Whether a message is valid; if not, the error has rule, position and path. The bytes must not change meanwhile. Bytes after the message are ignored.
   With `exact`, the bytes that no member owns must be as a writer of the same schema leaves them. */
bool bm_verify(const void *message, size_t length, const bm_schema *schema, bool exact, bm_error *error);

/* Takes a piece of text; another result than 0 ends the writing. */
typedef int (*bm_sink)(void *context, const char *text, size_t length);

/* Writes a message as JSON, as .NET does without indentation. 0 if all of it was written, -1 if the message is malformed (a part may be written
   then), or the other result of the sink. */
int bm_write_json(const void *message, size_t length, const bm_schema *schema, bm_sink sink, void *context, bm_error *error);

/* Writes a text as a JSON string, with the escapes of .NET; bytes that are not UTF-8 become U+FFFD. */
int bm_write_json_text(const char *utf8, size_t length, bm_sink sink, void *context);

/* ---- queues ---- */

typedef struct bm_queue bm_queue;

enum { BM_DURABLE = 1, BM_BOUNDED = 2 };
enum { BM_UNDECIDED = 0, BM_RAW = 1, BM_MESSAGES = 2, BM_VALUES = 3 };

typedef struct bm_queue_info {
    uint32_t mode;
    uint32_t content;
    bool has_one_producer;
    bool has_checksums;
    uint32_t slots;
    int64_t segment_bytes;
    int64_t created; /* ticks of 100 ns since 0001-01-01 */
    uint64_t epoch;
    uint8_t id[16]; /* a GUID as .NET stores it: u32, u16, u16, 8 bytes */
    int64_t first_segment; /* the oldest that still exists; -1 if there is none, INT64_MAX if the ring is damaged */
    int64_t open_segments; /* durable: the number of the newest plus one; bounded: how many there are */
    const char *schema_text; /* all versions; lives as long as the queue, and may grow */
    size_t schema_bytes;
} bm_queue_info;

typedef struct bm_record {
    int64_t position;
    uint64_t epoch;
    const uint8_t *payload; /* lives until the next call of bm_queue_next or bm_queue_close */
    size_t length;
    const uint8_t *properties; /* entries; NULL if there are none */
    size_t properties_length;
} bm_record;

typedef struct bm_property {
    uint16_t kind; /* docs/format/queues.md lists them */
    uint16_t length;
    const uint8_t *data;
} bm_property;

/* Opens the directory of a queue for reading. It takes no lease and no lock, and needs no permission to write. */
bm_queue *bm_queue_open(const char *directory, bm_error *error);
void bm_queue_close(bm_queue *queue);
void bm_queue_get_info(const bm_queue *queue, bm_queue_info *info);

/* Goes to a position; 0 is before the oldest record. */
void bm_queue_seek(bm_queue *queue, int64_t position);

/* Reads the next record. 1 if there is one, 0 at the end for now, -1 if the files are damaged or of a newer version. Records that retention
   deletes or a producer overwrites before they are read are skipped; their checksums and those of the properties are checked. */
int bm_queue_next(bm_queue *queue, bm_record *record, bm_error *error);

/* Reads the property at an offset, which begins at 0 and is moved past it. 1 if there is one, 0 at the end. */
int bm_record_property(const bm_record *record, size_t *offset, bm_property *property);

/* ---- hashes ---- */

uint64_t bm_xxh64(const void *data, size_t length);
uint32_t bm_crc32c(uint32_t crc, const void *data, size_t length);

#ifdef __cplusplus
}
#endif

#endif
