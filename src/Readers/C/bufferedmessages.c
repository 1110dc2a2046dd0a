/* See bufferedmessages.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "bufferedmessages.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEADER_BYTES 8u
#define MAX_BLOCK_WORDS 65535u
#define MAX_DEPTH 64
#define MAX_INLINE_BYTES 7u
#define MAX_KIND_NESTING 64
#define EMPTY_SLOT (UINT64_C(1) << 63)

static const char TooShort[] = "it is shorter than a header and a block";
static const char Header[] = "its version or its flags are unknown";
static const char TotalBytes[] = "its size is not a multiple of 8, or larger than the given bytes";
static const char RootBlock[] = "its root block is empty, or larger than the message";
static const char Case[] = "a union has a case of number 0";
static const char InlineLength[] = "an inline string or binary is longer than 7 bytes";
static const char MessageListHeader[] = "a list of messages has empty blocks or unknown flags";
static const char Order[] = "payloads overlap, or are not in the order of their slots";
static const char DictionaryHeader[] = "a dictionary has a header that does not point to its values";
static const char SetHeader[] = "a set has a header that points to values";
static const char NullKey[] = "a key of a dictionary or set is null";
static const char EqualKeys[] = "a dictionary or set holds a key twice";
static const char NullRoot[] = "a message that is a union holds no case";
static const char Outside[] = "a payload reaches beyond the end of the message";
static const char Alignment[] = "a payload is not aligned";
static const char Gap[] = "a payload does not follow the one before directly";
static const char GapBytes[] = "bytes between payloads are not zero";
static const char Tail[] = "bytes after the last payload are not zero, or too many";
static const char BlockSize[] = "a block is not of the size that its type has";
static const char Hole[] = "bytes or bits of a block that belong to no member are not zero";
static const char NestedSlot[] = "the slot of a nested message or a union has an empty block, or bits that must be zero";
static const char UnknownCase[] = "a union has a case that its type does not have";
static const char InlineBytes[] = "bytes after an inline string or binary are not zero";
static const char NotInline[] = "a string or binary of up to 7 bytes is not stored in its slot";
static const char EmptyList[] = "an empty list, set or dictionary has a payload";
static const char Text[] = "a string is not UTF-8";
static const char Bool[] = "a bool is neither 0 nor 1";
static const char Absent[] = "a value that is null is not zero";
static const char AbsentMessage[] = "the block of a null message is not zero";
static const char Padding[] = "padding in a struct is not zero";
static const char BitmapEnd[] = "bits or bytes after the presence bits of a list are not zero";
static const char NeedlessBitmap[] = "a list of messages without a null has presence bits";
static const char KeyOrder[] = "the keys of a dictionary or set are not in order";
static const char Buckets[] = "the buckets of a dictionary or set do not fit its keys";
static const char BucketsEnd[] = "bytes after the buckets of a dictionary or set are not zero";
static const char Depth[] = "messages are nested more than 64 deep";

/* ---------------------------------------------------------------- bytes */

static uint16_t load16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t load32(const uint8_t *p) { return (uint32_t)load16(p) | (uint32_t)load16(p + 2) << 16; }
static uint64_t load64(const uint8_t *p) { return (uint64_t)load32(p) | (uint64_t)load32(p + 4) << 32; }
static uint64_t align_up(uint64_t position, uint64_t alignment) { return (position + alignment - 1) & ~(alignment - 1); }

#define P1 UINT64_C(0x9E3779B185EBCA87)
#define P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P3 UINT64_C(0x165667B19E3779F9)
#define P4 UINT64_C(0x85EBCA77C2B2AE63)
#define P5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
static uint64_t xxh_round(uint64_t lane, uint64_t word) { return rotate(lane + word * P2, 31) * P1; }

uint64_t bm_xxh64(const void *data, size_t length)
{
    const uint8_t *p = data;
    size_t rest = length;
    uint64_t hash = P5;
    if (rest >= 32) {
        uint64_t lanes[4] = {P1 + P2, P2, 0, 0 - P1};
        for (; rest >= 32; rest -= 32, p += 32) {
            for (int i = 0; i < 4; i++) {
                lanes[i] = xxh_round(lanes[i], load64(p + 8 * i));
            }
        }
        hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (int i = 0; i < 4; i++) {
            hash = (hash ^ xxh_round(0, lanes[i])) * P1 + P4;
        }
    }
    hash += length;
    for (; rest >= 8; rest -= 8, p += 8) {
        hash = rotate(hash ^ xxh_round(0, load64(p)), 27) * P1 + P4;
    }
    if (rest >= 4) {
        hash = rotate(hash ^ load32(p) * P1, 23) * P2 + P3;
        rest -= 4;
        p += 4;
    }
    for (; rest > 0; rest--, p++) {
        hash = rotate(hash ^ *p * P5, 11) * P1;
    }
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

static const uint32_t Crc[256] = {
    0x00000000, 0xF26B8303, 0xE13B70F7, 0x1350F3F4, 0xC79A971F, 0x35F1141C, 0x26A1E7E8, 0xD4CA64EB, 0x8AD958CF, 0x78B2DBCC,
    0x6BE22838, 0x9989AB3B, 0x4D43CFD0, 0xBF284CD3, 0xAC78BF27, 0x5E133C24, 0x105EC76F, 0xE235446C, 0xF165B798, 0x030E349B,
    0xD7C45070, 0x25AFD373, 0x36FF2087, 0xC494A384, 0x9A879FA0, 0x68EC1CA3, 0x7BBCEF57, 0x89D76C54, 0x5D1D08BF, 0xAF768BBC,
    0xBC267848, 0x4E4DFB4B, 0x20BD8EDE, 0xD2D60DDD, 0xC186FE29, 0x33ED7D2A, 0xE72719C1, 0x154C9AC2, 0x061C6936, 0xF477EA35,
    0xAA64D611, 0x580F5512, 0x4B5FA6E6, 0xB93425E5, 0x6DFE410E, 0x9F95C20D, 0x8CC531F9, 0x7EAEB2FA, 0x30E349B1, 0xC288CAB2,
    0xD1D83946, 0x23B3BA45, 0xF779DEAE, 0x05125DAD, 0x1642AE59, 0xE4292D5A, 0xBA3A117E, 0x4851927D, 0x5B016189, 0xA96AE28A,
    0x7DA08661, 0x8FCB0562, 0x9C9BF696, 0x6EF07595, 0x417B1DBC, 0xB3109EBF, 0xA0406D4B, 0x522BEE48, 0x86E18AA3, 0x748A09A0,
    0x67DAFA54, 0x95B17957, 0xCBA24573, 0x39C9C670, 0x2A993584, 0xD8F2B687, 0x0C38D26C, 0xFE53516F, 0xED03A29B, 0x1F682198,
    0x5125DAD3, 0xA34E59D0, 0xB01EAA24, 0x42752927, 0x96BF4DCC, 0x64D4CECF, 0x77843D3B, 0x85EFBE38, 0xDBFC821C, 0x2997011F,
    0x3AC7F2EB, 0xC8AC71E8, 0x1C661503, 0xEE0D9600, 0xFD5D65F4, 0x0F36E6F7, 0x61C69362, 0x93AD1061, 0x80FDE395, 0x72966096,
    0xA65C047D, 0x5437877E, 0x4767748A, 0xB50CF789, 0xEB1FCBAD, 0x197448AE, 0x0A24BB5A, 0xF84F3859, 0x2C855CB2, 0xDEEEDFB1,
    0xCDBE2C45, 0x3FD5AF46, 0x7198540D, 0x83F3D70E, 0x90A324FA, 0x62C8A7F9, 0xB602C312, 0x44694011, 0x5739B3E5, 0xA55230E6,
    0xFB410CC2, 0x092A8FC1, 0x1A7A7C35, 0xE811FF36, 0x3CDB9BDD, 0xCEB018DE, 0xDDE0EB2A, 0x2F8B6829, 0x82F63B78, 0x709DB87B,
    0x63CD4B8F, 0x91A6C88C, 0x456CAC67, 0xB7072F64, 0xA457DC90, 0x563C5F93, 0x082F63B7, 0xFA44E0B4, 0xE9141340, 0x1B7F9043,
    0xCFB5F4A8, 0x3DDE77AB, 0x2E8E845F, 0xDCE5075C, 0x92A8FC17, 0x60C37F14, 0x73938CE0, 0x81F80FE3, 0x55326B08, 0xA759E80B,
    0xB4091BFF, 0x466298FC, 0x1871A4D8, 0xEA1A27DB, 0xF94AD42F, 0x0B21572C, 0xDFEB33C7, 0x2D80B0C4, 0x3ED04330, 0xCCBBC033,
    0xA24BB5A6, 0x502036A5, 0x4370C551, 0xB11B4652, 0x65D122B9, 0x97BAA1BA, 0x84EA524E, 0x7681D14D, 0x2892ED69, 0xDAF96E6A,
    0xC9A99D9E, 0x3BC21E9D, 0xEF087A76, 0x1D63F975, 0x0E330A81, 0xFC588982, 0xB21572C9, 0x407EF1CA, 0x532E023E, 0xA145813D,
    0x758FE5D6, 0x87E466D5, 0x94B49521, 0x66DF1622, 0x38CC2A06, 0xCAA7A905, 0xD9F75AF1, 0x2B9CD9F2, 0xFF56BD19, 0x0D3D3E1A,
    0x1E6DCDEE, 0xEC064EED, 0xC38D26C4, 0x31E6A5C7, 0x22B65633, 0xD0DDD530, 0x0417B1DB, 0xF67C32D8, 0xE52CC12C, 0x1747422F,
    0x49547E0B, 0xBB3FFD08, 0xA86F0EFC, 0x5A048DFF, 0x8ECEE914, 0x7CA56A17, 0x6FF599E3, 0x9D9E1AE0, 0xD3D3E1AB, 0x21B862A8,
    0x32E8915C, 0xC083125F, 0x144976B4, 0xE622F5B7, 0xF5720643, 0x07198540, 0x590AB964, 0xAB613A67, 0xB831C993, 0x4A5A4A90,
    0x9E902E7B, 0x6CFBAD78, 0x7FAB5E8C, 0x8DC0DD8F, 0xE330A81A, 0x115B2B19, 0x020BD8ED, 0xF0605BEE, 0x24AA3F05, 0xD6C1BC06,
    0xC5914FF2, 0x37FACCF1, 0x69E9F0D5, 0x9B8273D6, 0x88D28022, 0x7AB90321, 0xAE7367CA, 0x5C18E4C9, 0x4F48173D, 0xBD23943E,
    0xF36E6F75, 0x0105EC76, 0x12551F82, 0xE03E9C81, 0x34F4F86A, 0xC69F7B69, 0xD5CF889D, 0x27A40B9E, 0x79B737BA, 0x8BDCB4B9,
    0x988C474D, 0x6AE7C44E, 0xBE2DA0A5, 0x4C4623A6, 0x5F16D052, 0xAD7D5351,
};

uint32_t bm_crc32c(uint32_t crc, const void *data, size_t length)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; length > 0; length--, p++) {
        crc = crc >> 8 ^ Crc[(crc ^ *p) & 0xFF];
    }
    return ~crc;
}

/* The length of the UTF-8 sequence at the start, with its code point; 0 if there is none, and then `bad` is the number of bytes that one U+FFFD
   stands for: the longest beginning of a sequence. */
static unsigned utf8_next(const uint8_t *p, size_t length, uint32_t *code, unsigned *bad)
{
    uint8_t first = p[0], low = 0x80, high = 0xBF;
    unsigned count;
    *bad = 1;
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    if (first < 0xE0) {
        count = 2;
        *code = first & 0x1Fu;
    } else if (first < 0xF0) {
        count = 3;
        *code = first & 0x0Fu;
        low = first == 0xE0 ? 0xA0 : 0x80;
        high = first == 0xED ? 0x9F : 0xBF;
    } else {
        count = 4;
        *code = first & 0x07u;
        low = first == 0xF0 ? 0x90 : 0x80;
        high = first == 0xF4 ? 0x8F : 0xBF;
    }
    for (unsigned i = 1; i < count; i++) {
        if (i >= length || p[i] < low || p[i] > high) {
            *bad = i;
            return 0;
        }
        *code = *code << 6 | (p[i] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return count;
}

static bool is_utf8(const uint8_t *p, size_t length)
{
    uint32_t code;
    unsigned bad;
    while (length > 0) {
        unsigned count = utf8_next(p, length, &code, &bad);
        if (count == 0) {
            return false;
        }
        p += count;
        length -= count;
    }
    return true;
}

/* ---------------------------------------------------------------- schemas */

enum scalar {
    S_BOOL, S_CHAR, S_U8, S_I8, S_U16, S_I16, S_U32, S_I32, S_U64, S_I64, S_U128, S_I128, S_F16, S_F32, S_F64, S_DECIMAL, S_GUID, S_DATETIME,
    S_DATETIMEOFFSET, S_TIMESPAN, S_DATEONLY, S_TIMEONLY, S_COUNT
};

static const struct {
    const char *name;
    uint8_t size;
    uint8_t alignment;
    bool is_key;
    const char *rule; /* of a value that the type cannot hold */
} Scalars[S_COUNT] = {
    {"bool", 1, 1, true, Bool},
    {"char", 2, 2, true, NULL},
    {"u8", 1, 1, true, NULL},
    {"i8", 1, 1, true, NULL},
    {"u16", 2, 2, true, NULL},
    {"i16", 2, 2, true, NULL},
    {"u32", 4, 4, true, NULL},
    {"i32", 4, 4, true, NULL},
    {"u64", 8, 8, true, NULL},
    {"i64", 8, 8, true, NULL},
    {"u128", 16, 8, true, NULL},
    {"i128", 16, 8, true, NULL},
    {"f16", 2, 2, false, NULL},
    {"f32", 4, 4, false, NULL},
    {"f64", 8, 8, false, NULL},
    {"decimal", 16, 8, false, "a value is outside of the range of Decimal"},
    {"guid", 16, 8, true, NULL},
    {"datetime", 8, 8, false, "a value is outside of the range of DateTime"},
    {"datetimeoffset", 16, 8, false, "a value is outside of the range of DateTimeOffset"},
    {"timespan", 8, 8, true, NULL},
    {"dateonly", 4, 4, true, "a value is outside of the range of DateOnly"},
    {"timeonly", 8, 8, false, "a value is outside of the range of TimeOnly"},
};

enum tag { K_SCALAR, K_STRUCT, K_TEXT, K_BINARY, K_MESSAGE, K_UNION, K_LIST, K_SET, K_DICTIONARY };

struct slice {
    const char *text;
    size_t length;
};

struct kind {
    enum tag tag;
    enum scalar scalar;
    bool is_nullable;
    uint32_t size;      /* of a scalar or a struct */
    uint32_t alignment;
    struct kind *element; /* of a list, the value of a dictionary */
    struct kind *key;     /* of a set or a dictionary */
    struct slice name;    /* of a message or a union */
    struct type *type;
    struct field *fields; /* of a struct */
    struct padding *padding;
    uint32_t padding_count;
};

struct field {
    struct field *next;
    struct kind *kind;
    uint32_t offset;
    uint32_t count;
    bool is_array;
};

struct padding {
    uint32_t offset;
    uint32_t length;
};

struct member {
    struct slice name; /* text is NULL if the ordinal is reserved */
    struct kind *kind; /* NULL if the number of a case is reserved */
    uint32_t offset;
    uint32_t presence_bit;
};

/* Bytes or bits of a block that no member owns; a mask of 0 means whole bytes. */
struct remains {
    uint32_t offset;
    uint32_t length;
    uint8_t mask;
};

struct type {
    struct type *next;
    struct slice name;
    bool is_union;
    size_t at; /* in the text */
    uint32_t block_bytes;
    uint32_t count;
    uint32_t capacity;
    struct member *members; /* cases: number i + 1 is entry i */
    struct remains *remains;
    uint32_t remains_count;
};

struct chunk {
    struct chunk *next;
};

struct bm_schema {
    struct chunk *chunks;
    struct type *root;
    struct type *last;
    struct kind root_kind;
    const char *text;
    size_t length;
    uint64_t fingerprint;
};

struct parser {
    bm_schema *schema;
    bm_error *error;
    const char *at;
    const char *end;
    int nesting;
};

static void *allocate(bm_schema *schema, size_t size)
{
    struct chunk *chunk = calloc(1, sizeof(struct chunk) + 8 + size);
    if (chunk == NULL) {
        return NULL;
    }
    chunk->next = schema->chunks;
    schema->chunks = chunk;
    return (char *)chunk + ((sizeof(struct chunk) + 7) & ~(size_t)7);
}

static bool schema_error(struct parser *parser, const char *at, const char *rule)
{
    bm_error *error = parser->error;
    error->rule = rule;
    error->position = (uint64_t)(at - parser->schema->text);
    const char *start = at, *end = at;
    while (start > parser->schema->text && start[-1] != '\n') {
        start--;
    }
    while (end < parser->schema->text + parser->schema->length && *end != '\n' && end - start < 100) {
        end++;
    }
    snprintf(error->text, sizeof error->text, "%.*s", (int)(end - start), start);
    return false;
}

static bool wrong_kind(struct parser *parser)
{
    return schema_error(parser, parser->at, "the kind in this line is unknown, or one of a newer version");
}

static bool no_memory(struct parser *parser) { return schema_error(parser, parser->at, "memory is short"); }

static bool skip(struct parser *parser, char expected)
{
    if (parser->at >= parser->end || *parser->at != expected) {
        return false;
    }
    parser->at++;
    return true;
}

static bool expect(struct parser *parser, char expected) { return skip(parser, expected) || wrong_kind(parser); }

static bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

static struct slice parse_name(struct parser *parser)
{
    struct slice name = {parser->at, 0};
    while (parser->at < parser->end && is_letter_or_digit(*parser->at)) {
        parser->at++;
    }
    name.length = (size_t)(parser->at - name.text);
    return name;
}

static bool is_text(struct slice name, const char *text) { return name.length == strlen(text) && memcmp(name.text, text, name.length) == 0; }

static bool same(struct slice one, struct slice two) { return one.length == two.length && memcmp(one.text, two.text, one.length) == 0; }

static bool parse_number(struct parser *parser, uint32_t *number)
{
    const char *start = parser->at;
    *number = 0;
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') {
        *number = *number * 10 + (uint32_t)(*parser->at++ - '0');
        if (*number > 65535) {
            return wrong_kind(parser);
        }
    }
    return parser->at > start || wrong_kind(parser);
}

static bool parse_scalar(struct parser *parser, struct slice name, uint32_t guid_alignment, struct kind *kind)
{
    bool is_enum = is_text(name, "enum");
    if (is_enum) {
        if (!expect(parser, '(')) {
            return false;
        }
        name = parse_name(parser);
    }
    int scalar = 0;
    while (scalar < S_COUNT && !is_text(name, Scalars[scalar].name)) {
        scalar++;
    }
    if (scalar == S_COUNT || (is_enum && (scalar < S_U8 || scalar > S_I128))) {
        return wrong_kind(parser);
    }
    if (is_enum && !expect(parser, ')')) {
        return false;
    }
    kind->tag = K_SCALAR;
    kind->scalar = (enum scalar)scalar;
    kind->size = Scalars[scalar].size;
    kind->alignment = scalar == S_GUID ? guid_alignment : Scalars[scalar].alignment;
    return true;
}

/* Marks the bytes of a field that it uses. Those of a struct are found once, however often it is repeated: fields that overlap cost no more than others. */
static void mark(const struct field *field, const uint8_t *used_by_element, uint8_t *used)
{
    uint32_t size = field->kind->size;
    used += field->offset;
    if (used_by_element == NULL) {
        memset(used, 1, (size_t)size * field->count);
        return;
    }
    for (uint32_t i = 0; i < field->count; i++, used += size) {
        for (uint32_t k = 0; k < size; k++) {
            used[k] |= used_by_element[k];
        }
    }
}

static bool find_padding(struct parser *parser, struct kind *kind, const uint8_t *used)
{
    for (int pass = 0; pass < 2; pass++) {
        uint32_t count = 0;
        for (uint32_t at = 0; at < kind->size; at++) {
            if (used[at] != 0) {
                continue;
            }
            uint32_t start = at;
            while (at + 1 < kind->size && used[at + 1] == 0) {
                at++;
            }
            if (pass == 1) {
                kind->padding[count] = (struct padding){start, at + 1 - start};
            }
            count++;
        }
        kind->padding_count = count;
        if (pass == 0 && (kind->padding = allocate(parser->schema, count * sizeof(struct padding))) == NULL) {
            return no_memory(parser);
        }
    }
    return true;
}

static bool parse_struct(struct parser *parser, struct kind *kind, uint8_t **used);

/* Stores the bytes that an element of the field uses, if it is a struct: the caller frees them, also after a failure. */
static bool parse_field(struct parser *parser, struct field *field, uint8_t **used)
{
    field->count = 1;
    if ((field->kind = allocate(parser->schema, sizeof(struct kind))) == NULL) {
        return no_memory(parser);
    }
    if (!parse_number(parser, &field->offset) || !expect(parser, ':')) {
        return false;
    }
    struct slice name = parse_name(parser);
    if (is_text(name, "struct")) {
        if (++parser->nesting > MAX_KIND_NESTING) {
            return wrong_kind(parser);
        }
        if (!parse_struct(parser, field->kind, used)) {
            return false;
        }
        parser->nesting--;
        field->is_array = true;
        return expect(parser, '[') && parse_number(parser, &field->count) && expect(parser, ']');
    }
    if (!parse_scalar(parser, name, 4, field->kind)) {
        return false;
    }
    if (Scalars[field->kind->scalar].rule != NULL && field->kind->scalar != S_BOOL) {
        return wrong_kind(parser); /* a field of a struct is read unchecked */
    }
    field->is_array = skip(parser, '[');
    return !field->is_array || (parse_number(parser, &field->count) && expect(parser, ']'));
}

static bool parse_fields(struct parser *parser, struct kind *kind, uint32_t *alignment, uint8_t *used)
{
    struct field **next = &kind->fields;
    do {
        struct field *field = allocate(parser->schema, sizeof(struct field));
        uint8_t *used_by_element = NULL;
        if (field == NULL) {
            return no_memory(parser);
        }
        bool is_field = parse_field(parser, field, &used_by_element);
        if (is_field && (uint64_t)field->offset + (uint64_t)field->kind->size * field->count > kind->size) {
            is_field = wrong_kind(parser);
        }
        if (is_field) {
            mark(field, used_by_element, used);
        }
        free(used_by_element);
        if (!is_field) {
            return false;
        }
        *alignment = field->kind->alignment > *alignment ? field->kind->alignment : *alignment;
        *next = field;
        next = &field->next;
    } while (skip(parser, ','));
    return expect(parser, ')');
}

/* Stores the bytes that the fields use, one for each: the caller frees them, also after a failure. */
static bool parse_struct(struct parser *parser, struct kind *kind, uint8_t **used)
{
    uint32_t alignment = 1, packed = 0;
    kind->tag = K_STRUCT;
    if (!expect(parser, '(') || !parse_number(parser, &kind->size)) {
        return false;
    }
    bool is_packed = skip(parser, '/');
    if (is_packed && !parse_number(parser, &packed)) {
        return false;
    }
    if (!expect(parser, ';')) {
        return false;
    }
    if ((*used = calloc(1, kind->size + 1)) == NULL) {
        return no_memory(parser);
    }
    if (!skip(parser, ')') && !parse_fields(parser, kind, &alignment, *used)) {
        return false;
    }
    kind->alignment = is_packed ? packed : alignment;
    if (kind->size == 0 || (kind->alignment != 1 && kind->alignment != 2 && kind->alignment != 4 && kind->alignment != 8)) {
        return wrong_kind(parser);
    }
    return true;
}

static bool parse_whole_struct(struct parser *parser, struct kind *kind)
{
    uint8_t *used = NULL;
    bool is_struct = parse_struct(parser, kind, &used) && find_padding(parser, kind, used);
    free(used);
    return is_struct;
}

static struct kind *parse_kind(struct parser *parser);

static struct kind *parse_inner(struct parser *parser)
{
    if (++parser->nesting > MAX_KIND_NESTING) {
        wrong_kind(parser);
        return NULL;
    }
    struct kind *kind = parse_kind(parser);
    parser->nesting--;
    return kind;
}

static struct kind *parse_key(struct parser *parser)
{
    struct kind *kind = allocate(parser->schema, sizeof(struct kind));
    if (kind == NULL) {
        no_memory(parser);
        return NULL;
    }
    struct slice name = parse_name(parser);
    if (is_text(name, "string")) {
        kind->tag = K_TEXT;
        return kind;
    }
    if (!parse_scalar(parser, name, 8, kind)) {
        return NULL;
    }
    if (!Scalars[kind->scalar].is_key) {
        wrong_kind(parser);
        return NULL;
    }
    return kind;
}

static bool parse_reference(struct parser *parser, struct kind *kind)
{
    if (!expect(parser, '(')) {
        return false;
    }
    const char *end = memchr(parser->at, ')', (size_t)(parser->end - parser->at));
    if (end == NULL || end == parser->at) {
        return wrong_kind(parser);
    }
    kind->name = (struct slice){parser->at, (size_t)(end - parser->at)};
    parser->at = end + 1;
    return true;
}

static bool parse_into(struct parser *parser, struct kind *kind)
{
    struct slice name = parse_name(parser);
    if (is_text(name, "string") || is_text(name, "binary")) {
        kind->tag = is_text(name, "string") ? K_TEXT : K_BINARY;
        return true;
    }
    if (is_text(name, "message") || is_text(name, "union")) {
        kind->tag = is_text(name, "message") ? K_MESSAGE : K_UNION;
        return parse_reference(parser, kind);
    }
    if (is_text(name, "list")) {
        kind->tag = K_LIST;
        return expect(parser, '(') && (kind->element = parse_inner(parser)) != NULL && expect(parser, ')');
    }
    if (is_text(name, "set")) {
        kind->tag = K_SET;
        return expect(parser, '(') && (kind->key = parse_key(parser)) != NULL && expect(parser, ')');
    }
    if (is_text(name, "dictionary")) {
        kind->tag = K_DICTIONARY;
        return expect(parser, '(') && (kind->key = parse_key(parser)) != NULL && expect(parser, ',')
            && (kind->element = parse_inner(parser)) != NULL && expect(parser, ')');
    }
    if (!(is_text(name, "struct") ? parse_whole_struct(parser, kind) : parse_scalar(parser, name, 8, kind))) {
        return false;
    }
    kind->is_nullable = skip(parser, '?');
    return true;
}

static struct kind *parse_kind(struct parser *parser)
{
    struct kind *kind = allocate(parser->schema, sizeof(struct kind));
    if (kind == NULL) {
        no_memory(parser);
        return NULL;
    }
    return parse_into(parser, kind) ? kind : NULL;
}

/* The kind is all of the text. */
static struct kind *parse_whole(struct parser *parser, struct slice text)
{
    parser->at = text.text;
    parser->end = text.text + text.length;
    parser->nesting = 0;
    struct kind *kind = parse_kind(parser);
    if (kind != NULL && parser->at != parser->end) {
        wrong_kind(parser);
        return NULL;
    }
    return kind;
}

static bool is_value(const struct kind *kind) { return kind->tag == K_SCALAR || kind->tag == K_STRUCT; }

/* The type that the innermost elements of a kind are of, or NULL. */
static struct kind *reference_of(struct kind *kind)
{
    while (kind != NULL && (kind->tag == K_LIST || kind->tag == K_DICTIONARY)) {
        kind = kind->element;
    }
    return kind != NULL && (kind->tag == K_MESSAGE || kind->tag == K_UNION) ? kind : NULL;
}

static bool add_line(struct parser *parser, struct type *type, struct slice name, struct kind *kind)
{
    if (type->count == type->capacity) {
        uint32_t capacity = type->capacity == 0 ? 8 : type->capacity * 2;
        struct member *members = allocate(parser->schema, capacity * sizeof(struct member));
        if (members == NULL) {
            return no_memory(parser);
        }
        if (type->count != 0) {
            memcpy(members, type->members, type->count * sizeof(struct member));
        }
        type->members = members;
        type->capacity = capacity;
    }
    type->members[type->count++] = (struct member){.name = name, .kind = kind};
    return true;
}

static bool parse_member(struct parser *parser, struct type *type, const struct slice *words, int count)
{
    static const char Reserved[] = "reserved(";
    const size_t prefix = sizeof Reserved - 1;
    struct slice name = {NULL, 0}, text;
    if (count == 3 && words[2].length > 0) {
        name = words[2];
        text = words[1];
    } else if (count == 2 && words[1].length > prefix && memcmp(words[1].text, Reserved, prefix) == 0
        && words[1].text[words[1].length - 1] == ')') {
        text = (struct slice){words[1].text + prefix, words[1].length - prefix - 1};
    } else {
        return schema_error(parser, words[0].text, "a member is a number, a kind and a name, or a number and 'reserved(kind)'");
    }
    struct kind *kind = parse_whole(parser, text);
    return kind != NULL && add_line(parser, type, name, kind);
}

static bool parse_case(struct parser *parser, struct type *type, const struct slice *words, int count)
{
    struct slice none = {NULL, 0};
    if (count == 3 && words[2].length > 0) {
        struct kind *kind = parse_whole(parser, words[1]);
        if (kind == NULL) {
            return false;
        }
        if (kind->tag == K_MESSAGE) {
            return add_line(parser, type, words[2], kind);
        }
    } else if (count == 2 && is_text(words[1], "reserved")) {
        return add_line(parser, type, none, NULL);
    }
    return schema_error(parser, words[0].text, "a case is a number, a message and a name, or a number and 'reserved'");
}

static bool add_type(struct parser *parser, struct slice name, bool is_union)
{
    bm_schema *schema = parser->schema;
    struct type *type = allocate(schema, sizeof(struct type));
    if (type == NULL) {
        return no_memory(parser);
    }
    type->name = name;
    type->is_union = is_union;
    type->at = (size_t)(name.text - schema->text);
    if (schema->last == NULL) {
        schema->root = type;
    } else {
        schema->last->next = type;
    }
    schema->last = type;
    return true;
}

static bool parse_line(struct parser *parser, const char *line, size_t length)
{
    struct slice words[4];
    int count = 0;
    const char *at = line, *end = line + length;
    parser->at = line;
    /* A fourth word stands for all the others. */
    for (; count < 4; count++) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        words[count] = (struct slice){at, (size_t)((space == NULL ? end : space) - at)};
        if (space == NULL) {
            count++;
            break;
        }
        at = space + 1;
    }
    if (count == 2 && words[1].length > 0 && (is_text(words[0], "message") || is_text(words[0], "union"))) {
        return add_type(parser, words[1], is_text(words[0], "union"));
    }
    struct type *type = parser->schema->last;
    if (type == NULL) {
        return schema_error(parser, line, "the first line must be 'message Name' or 'union Name'");
    }
    if (length > 0 && line[0] == '#') {
        return true;
    }
    if (length == 0) {
        return schema_error(parser, line, "an empty line ends a version of the schema, and this text must be of one version");
    }
    char expected[16];
    snprintf(expected, sizeof expected, "%" PRIu32, type->count + (type->is_union ? 1u : 0u));
    if (!is_text(words[0], expected)) {
        return schema_error(parser, line, "numbers ascend without gaps, and this line has another one than the next");
    }
    return type->is_union ? parse_case(parser, type, words, count) : parse_member(parser, type, words, count);
}

static bool is_head(const struct type *type, const struct kind *reference)
{
    return type->is_union == (reference->tag == K_UNION) && same(type->name, reference->name);
}

/* Types are in the order of their first use, each is there once, and no other is. Gives the references their types. */
static bool resolve(struct parser *parser)
{
    struct type *last = parser->schema->root;
    /* A type that no line before it refers to ends this: its own lines do not count. */
    for (struct type *type = parser->schema->root; type != last->next; type = type->next) {
        for (uint32_t i = 0; i < type->count; i++) {
            struct kind *reference = reference_of(type->members[i].kind);
            if (reference == NULL) {
                continue;
            }
            for (struct type *known = parser->schema->root; known != last->next && reference->type == NULL; known = known->next) {
                reference->type = is_head(known, reference) ? known : NULL;
            }
            if (reference->type == NULL) {
                if (last->next == NULL || !is_head(last->next, reference)) {
                    return schema_error(parser, reference->name.text, "the type of this line is not described in its place, in the order of first use");
                }
                last = last->next;
                reference->type = last;
            }
        }
    }
    return last->next == NULL
        || schema_error(parser, parser->schema->text + last->next->at, "no line refers to this type, or it is described already");
}

struct hole {
    uint32_t start;
    uint32_t end;
};

struct placement {
    struct hole *holes;
    size_t count;
    uint64_t end;
};

static uint32_t place(struct placement *placement, uint32_t size, uint32_t alignment)
{
    for (size_t i = 0; i < placement->count; i++) {
        struct hole hole = placement->holes[i];
        uint32_t at = (uint32_t)align_up(hole.start, alignment);
        if (at + size > hole.end) {
            continue;
        }
        struct hole parts[2] = {{hole.start, at}, {at + size, hole.end}};
        size_t kept = 0;
        for (int part = 0; part < 2; part++) {
            if (parts[part].start < parts[part].end) {
                parts[kept++] = parts[part];
            }
        }
        memmove(placement->holes + i + kept, placement->holes + i + 1, (placement->count - i - 1) * sizeof(struct hole));
        memcpy(placement->holes + i, parts, kept * sizeof(struct hole));
        placement->count = placement->count - 1 + kept;
        return at;
    }
    uint64_t at = align_up(placement->end, alignment);
    if (at > placement->end) {
        placement->holes[placement->count++] = (struct hole){(uint32_t)placement->end, (uint32_t)at};
    }
    placement->end = at + size;
    return (uint32_t)at;
}

static void own(uint8_t *owned, const struct member *member)
{
    memset(owned + member->offset, 0xFF, is_value(member->kind) ? member->kind->size : 8);
    if (is_value(member->kind) && member->kind->is_nullable) {
        owned[member->presence_bit >> 3] |= (uint8_t)(1u << (member->presence_bit & 7));
    }
}

static bool find_remains(struct parser *parser, struct type *type)
{
    uint8_t *owned = calloc(1, type->block_bytes);
    if (owned == NULL) {
        return no_memory(parser);
    }
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->members[i].name.text != NULL) {
            own(owned, &type->members[i]);
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        uint32_t count = 0;
        for (uint32_t at = 0; at < type->block_bytes; at++) {
            if (owned[at] == 0xFF) {
                continue;
            }
            uint32_t start = at;
            while (owned[start] == 0 && at + 1 < type->block_bytes && owned[at + 1] == 0) {
                at++;
            }
            if (pass == 1) {
                type->remains[count] = (struct remains){start, at + 1 - start, owned[start] == 0 ? 0 : (uint8_t)~owned[start]};
            }
            count++;
        }
        type->remains_count = count;
        if (pass == 0 && (type->remains = allocate(parser->schema, count * sizeof(struct remains))) == NULL) {
            free(owned);
            return no_memory(parser);
        }
    }
    free(owned);
    return true;
}

static bool place_members(struct parser *parser, struct type *type)
{
    /* A member adds at most one hole, and its presence byte another. */
    struct placement placement = {malloc((2 * (size_t)type->count + 2) * sizeof(struct hole)), 0, 0};
    uint32_t nullables = 0, presence = 0;
    if (placement.holes == NULL) {
        return no_memory(parser);
    }
    for (uint32_t i = 0; i < type->count; i++) {
        struct member *member = &type->members[i];
        const struct kind *kind = member->kind;
        if (is_value(kind) && kind->is_nullable) {
            if (nullables % 8 == 0) {
                presence = place(&placement, 1, 1);
            }
            member->presence_bit = presence * 8 + nullables++ % 8;
        }
        member->offset = is_value(kind) ? place(&placement, kind->size, kind->alignment) : place(&placement, 8, 8);
        if (align_up(placement.end, 8) > MAX_BLOCK_WORDS * 8) {
            free(placement.holes);
            return schema_error(parser, parser->schema->text + type->at, "the members of the type take more than a block's 65535 words");
        }
    }
    free(placement.holes);
    type->block_bytes = placement.end == 0 ? 8 : (uint32_t)align_up(placement.end, 8);
    return find_remains(parser, type);
}

static bool hash_text(struct parser *parser)
{
    bm_schema *schema = parser->schema;
    char *plain = malloc(schema->length);
    size_t length = 0;
    if (plain == NULL) {
        return no_memory(parser);
    }
    for (size_t at = 0; at < schema->length;) {
        size_t line = (size_t)((const char *)memchr(schema->text + at, '\n', schema->length - at) - (schema->text + at)) + 1;
        if (schema->text[at] != '#') {
            memcpy(plain + length, schema->text + at, line);
            length += line;
        }
        at += line;
    }
    schema->fingerprint = bm_xxh64(plain, length);
    free(plain);
    return true;
}

static bool parse_text(struct parser *parser)
{
    bm_schema *schema = parser->schema;
    if (schema->length == 0 || schema->text[schema->length - 1] != '\n') {
        parser->error->rule = "it is empty, or cut off: its last line must end with a line feed";
        strcpy(parser->error->text, "the schema text");
        return false;
    }
    for (size_t at = 0; at < schema->length;) {
        size_t line = (size_t)((const char *)memchr(schema->text + at, '\n', schema->length - at) - (schema->text + at));
        if (!parse_line(parser, schema->text + at, line)) {
            return false;
        }
        at += line + 1;
    }
    parser->at = schema->text;
    if (!resolve(parser) || !hash_text(parser)) {
        return false;
    }
    for (struct type *type = schema->root; type != NULL; type = type->next) {
        if (!type->is_union && !place_members(parser, type)) {
            return false;
        }
    }
    schema->root_kind.tag = schema->root->is_union ? K_UNION : K_MESSAGE;
    schema->root_kind.type = schema->root;
    return true;
}

bm_schema *bm_schema_parse(const char *text, size_t length, bm_error *error)
{
    bm_error ignored;
    struct parser parser = {.error = error == NULL ? &ignored : error};
    memset(parser.error, 0, sizeof *parser.error);
    bm_schema *schema = calloc(1, sizeof *schema);
    char *copy = schema == NULL ? NULL : allocate(schema, length + 1);
    if (copy == NULL) {
        free(schema);
        parser.error->rule = "memory is short";
        return NULL;
    }
    if (length > 0) {
        memcpy(copy, text, length);
    }
    schema->text = copy;
    schema->length = length;
    parser.schema = schema;
    parser.at = copy;
    if (!parse_text(&parser)) {
        bm_schema_free(schema);
        return NULL;
    }
    return schema;
}

bm_schema *bm_schema_parse_stored(const char *text, size_t length, bm_error *error)
{
    size_t start = length;
    while (start >= 2 && !(text[start - 1] == '\n' && text[start - 2] == '\n')) {
        start--;
    }
    start = start < 2 ? 0 : start;
    return bm_schema_parse(text + start, length - start, error);
}

void bm_schema_free(bm_schema *schema)
{
    if (schema == NULL) {
        return;
    }
    for (struct chunk *chunk = schema->chunks; chunk != NULL;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(schema);
}

uint64_t bm_schema_fingerprint(const bm_schema *schema) { return schema->fingerprint; }

/* ---------------------------------------------------------------- values */

#define TICKS_PER_SECOND INT64_C(10000000)
#define TICKS_PER_MINUTE (60 * TICKS_PER_SECOND)
#define TICKS_PER_DAY (86400 * TICKS_PER_SECOND)
#define MAX_TICKS INT64_C(3155378975999999999)
#define MAX_DAYS 3652058
#define TICKS_MASK ((UINT64_C(1) << 62) - 1)

static bool is_zone_time(const uint8_t *p)
{
    uint64_t ticks = load64(p);
    int16_t minutes = (int16_t)load16(p + 8);
    uint64_t local = ticks + (uint64_t)(minutes * TICKS_PER_MINUTE);
    return ticks <= (uint64_t)MAX_TICKS && local <= (uint64_t)MAX_TICKS && minutes >= -840 && minutes <= 840;
}

/* Whether a scalar can hold the bits. A reader without verification takes every bool, and the unused bytes of a datetimeoffset. */
static bool is_valid(enum scalar scalar, const uint8_t *p, bool is_verification)
{
    switch (scalar) {
    case S_BOOL:
        return !is_verification || p[0] <= 1;
    case S_DECIMAL:
        return (load32(p) & 0x7F00FFFFu) == 0 && (load32(p) >> 16 & 0xFF) <= 28;
    case S_DATETIME:
        return (load64(p) & TICKS_MASK) <= (uint64_t)MAX_TICKS && load64(p) >> 62 <= 2;
    case S_DATETIMEOFFSET:
        return is_zone_time(p) && (!is_verification || load64(p + 8) >> 16 == 0);
    case S_DATEONLY:
        return load32(p) <= MAX_DAYS;
    case S_TIMEONLY:
        return load64(p) < (uint64_t)TICKS_PER_DAY;
    default:
        return true;
    }
}

static uint64_t bucket_count(uint64_t count)
{
    uint64_t buckets = 1;
    if (count <= 8) {
        return 0;
    }
    while (buckets < count) {
        buckets *= 2;
    }
    return buckets;
}

static uint64_t keys_offset(uint64_t count)
{
    uint64_t buckets = bucket_count(count);
    return buckets == 0 ? 8 : align_up(8 + (buckets + 1) * 4, 8);
}

static uint64_t values_offset(uint64_t count, uint32_t alignment) { return align_up((count + 7) >> 3, alignment); }

static uint32_t key_bytes(const struct kind *key) { return key->tag == K_TEXT ? 8 : key->size; }

/* The header of a message: the rule that it breaks, or NULL. */
static const char *open_message(const uint8_t *data, size_t length, uint32_t *total, uint32_t *block_bytes)
{
    if (length < 16) {
        return TooShort;
    }
    *block_bytes = load16(data) * 8u;
    *total = load32(data + 4);
    if (load16(data + 2) != 1) {
        return Header;
    }
    if (*total % 8 != 0 || *total > length) {
        return TotalBytes;
    }
    return *block_bytes == 0 || *total < HEADER_BYTES + *block_bytes ? RootBlock : NULL;
}

/* ---------------------------------------------------------------- verification */

/* Positions are 64 bits wide: no sum of those that a message can claim overflows. */
struct verifier {
    const uint8_t *data;
    uint64_t total;
    uint64_t end;
    uint64_t slot;
    int depth;
    bool exact;
    bm_error *error;
    size_t path; /* the path is built from its end */
};

static bool fail(struct verifier *v, uint64_t position, const char *rule)
{
    v->error->rule = rule;
    v->error->position = position;
    v->path = sizeof v->error->text - 1;
    v->error->text[v->path] = 0;
    return false;
}

/* On the way out: the failed check is inside of this part. Of a path that is too long the inner parts are kept. */
static bool inside(struct verifier *v, const char *part, size_t length)
{
    char *text = v->error->text;
    if (text[v->path] != 0 && text[v->path] != '[' && v->path > 0) {
        text[--v->path] = '.';
    }
    size_t kept = length < v->path ? length : v->path;
    v->path -= kept;
    memcpy(text + v->path, part + (length - kept), kept);
    return false;
}

static bool inside_element(struct verifier *v, uint64_t index)
{
    char part[24];
    int length = snprintf(part, sizeof part, "[%" PRIu64 "]", index);
    return inside(v, part, (size_t)length);
}

static bool zeros(struct verifier *v, uint64_t position, uint64_t count, const char *rule)
{
    for (uint64_t i = 0; i < count; i++) {
        if (v->data[position + i] != 0) {
            return fail(v, position + i, rule);
        }
    }
    return true;
}

static bool claim(struct verifier *v, uint64_t position, uint64_t bytes, uint32_t alignment)
{
    if (position < v->end) {
        return fail(v, v->slot, Order);
    }
    if (position + bytes > v->total) {
        return fail(v, v->slot, Outside);
    }
    if ((position & (alignment - 1)) != 0) {
        return fail(v, v->slot, Alignment);
    }
    if (v->exact) {
        if (position != align_up(v->end, alignment)) {
            return fail(v, v->slot, Gap);
        }
        if (!zeros(v, v->end, position - v->end, GapBytes)) {
            return false;
        }
    }
    v->end = position + bytes;
    return true;
}

static bool enter(struct verifier *v) { return ++v->depth <= MAX_DEPTH || fail(v, v->slot, Depth); }

static bool leave(struct verifier *v)
{
    v->depth--;
    return true;
}

static bool is_set(const uint8_t *bitmap, uint64_t bit) { return (bitmap[bit >> 3] & (1u << (bit & 7))) != 0; }

static bool verify_value(struct verifier *v, const struct kind *kind, uint64_t at)
{
    if (kind->tag == K_SCALAR) {
        return is_valid(kind->scalar, v->data + at, true) || fail(v, at, Scalars[kind->scalar].rule);
    }
    for (uint32_t i = 0; i < kind->padding_count; i++) {
        if (!zeros(v, at + kind->padding[i].offset, kind->padding[i].length, Padding)) {
            return false;
        }
    }
    return true;
}

static bool verify_nullable(struct verifier *v, const struct kind *kind, uint64_t at, bool is_present)
{
    return is_present ? verify_value(v, kind, at) : zeros(v, at, kind->size, Absent);
}

static bool verify_slot(struct verifier *v, const struct kind *kind, uint64_t at, uint64_t size, uint64_t offset);
static bool verify_elements(struct verifier *v, const struct kind *kind, uint64_t position, uint64_t count);

static bool verify_member(struct verifier *v, const struct member *member, uint64_t at, uint64_t size)
{
    const struct kind *kind = member->kind;
    if (!is_value(kind)) {
        return verify_slot(v, kind, at, size, member->offset);
    }
    if ((uint64_t)member->offset + kind->size > size) {
        return true;
    }
    if (!kind->is_nullable) {
        return verify_value(v, kind, at + member->offset);
    }
    return (member->presence_bit >> 3) >= size
        || verify_nullable(v, kind, at + member->offset, is_set(v->data + at, member->presence_bit));
}

static bool verify_block(struct verifier *v, const struct type *type, uint64_t at, uint64_t size)
{
    if (v->exact && size != type->block_bytes) {
        return fail(v, at, BlockSize);
    }
    for (uint32_t i = 0; i < type->count; i++) {
        const struct member *member = &type->members[i];
        if (member->name.text != NULL && !verify_member(v, member, at, size)) {
            return inside(v, member->name.text, member->name.length);
        }
    }
    for (uint32_t i = 0; v->exact && i < type->remains_count; i++) {
        const struct remains *remains = &type->remains[i];
        if (remains->mask == 0) {
            if (!zeros(v, at + remains->offset, remains->length, Hole)) {
                return false;
            }
        } else if ((v->data[at + remains->offset] & remains->mask) != 0) {
            return fail(v, at + remains->offset, Hole);
        }
    }
    return true;
}

static bool verify_bytes(struct verifier *v, uint64_t at, uint64_t slot, uint64_t payload, bool is_string, struct slice *content)
{
    uint64_t position = at, length = slot >> 56 & 0x7F;
    if (slot >> 63 != 0) {
        if (length > MAX_INLINE_BYTES) {
            return fail(v, at, InlineLength);
        }
        if ((slot & 0x00FFFFFFFFFFFFFFu) >> (8 * length) != 0) {
            return fail(v, at, InlineBytes);
        }
    } else {
        v->slot = at;
        position = payload;
        length = (uint32_t)slot;
        if (length <= MAX_INLINE_BYTES) {
            return fail(v, at, NotInline);
        }
        if (!claim(v, position, length, 1)) {
            return false;
        }
    }
    *content = (struct slice){(const char *)v->data + position, (size_t)length};
    return !is_string || is_utf8(v->data + position, (size_t)length) || fail(v, position, Text);
}

static bool verify_nested(struct verifier *v, const struct kind *kind, uint64_t position, uint32_t length)
{
    uint32_t words = length, number = 0;
    if (kind->tag == K_UNION) {
        words = length & 0xFFFF;
        number = length >> 16;
        if (number == 0) {
            return fail(v, v->slot, Case);
        }
    }
    if (words == 0 || words > MAX_BLOCK_WORDS) {
        return fail(v, v->slot, NestedSlot);
    }
    if (!claim(v, position, words * 8, 8) || !enter(v)) {
        return false;
    }
    const struct type *type = kind->type;
    if (kind->tag == K_UNION) {
        const struct kind *found = number <= type->count ? type->members[number - 1].kind : NULL;
        if (found == NULL) {
            return v->exact ? fail(v, v->slot, UnknownCase) : leave(v);
        }
        type = found->type;
    }
    return verify_block(v, type, position, words * 8) && leave(v);
}

static bool bitmap_end(struct verifier *v, uint64_t position, uint64_t count, uint64_t size)
{
    uint64_t full = count >> 3, rest = (count + 7) >> 3;
    if (rest != full && v->data[position + full] >> (count & 7) != 0) {
        return fail(v, position + full, BitmapEnd);
    }
    return zeros(v, position + rest, size - rest, BitmapEnd);
}

static bool verify_messages(struct verifier *v, const struct type *type, uint64_t position, uint64_t count)
{
    if (position + 8 > v->total) {
        return fail(v, v->slot, Outside);
    }
    uint64_t header = load64(v->data + position), flags = header >> 16, size = (header & 0xFFFF) * 8;
    if (size == 0 || flags > 1) {
        return fail(v, position, MessageListHeader);
    }
    uint64_t bitmap = position + 8, bitmap_bytes = flags == 0 ? 0 : values_offset(count, 8), first = bitmap + bitmap_bytes;
    if (!claim(v, position, 8 + bitmap_bytes + count * size, 8)) {
        return false;
    }
    if (flags != 0) {
        uint64_t present = 0;
        if (!bitmap_end(v, bitmap, count, bitmap_bytes)) {
            return false;
        }
        while (present < count && is_set(v->data + bitmap, present)) {
            present++;
        }
        if (present == count) {
            return fail(v, bitmap, NeedlessBitmap);
        }
    }
    if (!enter(v)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = first + i * size;
        bool valid = flags == 0 || is_set(v->data + bitmap, i) ? verify_block(v, type, at, size) : zeros(v, at, size, AbsentMessage);
        if (!valid) {
            return inside_element(v, i);
        }
    }
    return leave(v);
}

static bool verify_starts(struct verifier *v, uint64_t starts, uint64_t first, uint64_t last, uint64_t key)
{
    for (uint64_t bucket = first; bucket <= last; bucket++) {
        if (load32(v->data + starts + bucket * 4) != key) {
            return fail(v, starts + bucket * 4, Buckets);
        }
    }
    return true;
}

static bool verify_key(struct verifier *v, const struct kind *kind, uint64_t keys, uint64_t offset, struct slice *key)
{
    uint64_t at = keys + offset;
    if (kind->tag == K_TEXT) {
        uint64_t slot = load64(v->data + at);
        return slot == 0 ? fail(v, at, NullKey) : verify_bytes(v, at, slot, keys + (slot >> 32), true, key);
    }
    *key = (struct slice){(const char *)v->data + at, kind->size};
    return verify_value(v, kind, at);
}

static int compare_bytes(struct slice one, struct slice two)
{
    int order = memcmp(one.text, two.text, one.length < two.length ? one.length : two.length);
    return order != 0 ? order : one.length < two.length ? -1 : one.length > two.length;
}

/* Each key is read once. With buckets, the start of a bucket is known when the first key after it is. */
static bool verify_keys(struct verifier *v, const struct kind *kind, uint64_t table, uint64_t count)
{
    uint64_t keys = table + keys_offset(count), buckets = bucket_count(count), starts = table + 8, next_bucket = 0;
    struct slice previous = {"", 0}, key = {"", 0};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t offset = i * key_bytes(kind);
        if (!verify_key(v, kind, keys, offset, &key)) {
            return inside_element(v, i);
        }
        uint64_t bucket = buckets == 0 ? 0 : bm_xxh64(key.text, key.length) & (buckets - 1);
        if (bucket + 1 < next_bucket) {
            fail(v, keys + offset, Buckets);
            return inside_element(v, i);
        }
        if (bucket + 1 == next_bucket) {
            int order = compare_bytes(previous, key);
            if (order >= 0) {
                fail(v, keys + offset, order == 0 ? EqualKeys : KeyOrder);
                return inside_element(v, i);
            }
        } else if (buckets != 0 && !verify_starts(v, starts, next_bucket, bucket, i)) {
            return inside_element(v, i);
        }
        previous = key;
        next_bucket = bucket + 1;
    }
    if (buckets == 0) {
        return true;
    }
    uint64_t end = starts + (buckets + 1) * 4;
    return verify_starts(v, starts, next_bucket, buckets, count) && zeros(v, end, keys - end, BucketsEnd);
}

static bool verify_table(struct verifier *v, const struct kind *kind, uint64_t position, uint64_t count)
{
    if (!claim(v, position, keys_offset(count) + count * key_bytes(kind->key), 8)) {
        return false;
    }
    uint64_t header = load64(v->data + position);
    if (kind->tag == K_SET) {
        return header == 0 ? verify_keys(v, kind->key, position, count) : fail(v, position, SetHeader);
    }
    if (!verify_keys(v, kind->key, position, count)) {
        return inside(v, "Keys", 4);
    }
    v->slot = position;
    if (header >> 32 != 0) {
        return fail(v, position, DictionaryHeader);
    }
    return claim(v, position + header, 0, 8) && (verify_elements(v, kind->element, position + header, count) || inside(v, "Values", 6));
}

static bool verify_elements(struct verifier *v, const struct kind *kind, uint64_t position, uint64_t count)
{
    if (kind->tag == K_MESSAGE) {
        return verify_messages(v, kind->type, position, count);
    }
    uint64_t offset = 0, size = is_value(kind) ? kind->size : 8;
    uint32_t alignment = is_value(kind) ? kind->alignment : 8;
    if (is_value(kind) && kind->is_nullable) {
        offset = values_offset(count, alignment);
        alignment = 8;
    }
    if (!claim(v, position, offset + count * size, alignment) || (offset != 0 && !bitmap_end(v, position, count, offset))) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = position + offset + i * size;
        bool valid = !is_value(kind) ? verify_slot(v, kind, position, count * 8, i * 8)
            : offset == 0            ? verify_value(v, kind, at)
                                     : verify_nullable(v, kind, at, is_set(v->data + position, i));
        if (!valid) {
            return inside_element(v, i);
        }
    }
    return true;
}

static bool verify_slot(struct verifier *v, const struct kind *kind, uint64_t at, uint64_t size, uint64_t offset)
{
    struct slice content;
    if (offset + 8 > size) {
        return true;
    }
    uint64_t slot = load64(v->data + at + offset), payload = at + (slot >> 32);
    if (slot == 0) {
        return true;
    }
    if (kind->tag == K_TEXT || kind->tag == K_BINARY) {
        return verify_bytes(v, at + offset, slot, payload, kind->tag == K_TEXT, &content);
    }
    if (kind->tag == K_MESSAGE || kind->tag == K_UNION) {
        v->slot = at + offset;
        return verify_nested(v, kind, payload, (uint32_t)slot);
    }
    if (slot == EMPTY_SLOT) {
        return true;
    }
    v->slot = at + offset;
    if ((uint32_t)slot == 0) {
        return fail(v, v->slot, EmptyList);
    }
    return kind->tag == K_LIST ? verify_elements(v, kind->element, payload, (uint32_t)slot) : verify_table(v, kind, payload, (uint32_t)slot);
}

static bool verify_root(struct verifier *v, const bm_schema *schema, uint32_t block_bytes)
{
    if (!schema->root->is_union) {
        return verify_block(v, schema->root, HEADER_BYTES, block_bytes);
    }
    if (v->exact && block_bytes != 8) {
        return fail(v, HEADER_BYTES, BlockSize);
    }
    return load64(v->data + HEADER_BYTES) == 0 ? fail(v, HEADER_BYTES, NullRoot) : verify_slot(v, &schema->root_kind, HEADER_BYTES, block_bytes, 0);
}

static bool verify_tail(struct verifier *v)
{
    if (!v->exact) {
        return true;
    }
    return v->total == align_up(v->end, 8) ? zeros(v, v->end, v->total - v->end, Tail) : fail(v, v->end, Tail);
}

bool bm_verify(const void *message, size_t length, const bm_schema *schema, bool exact, bm_error *error)
{
    bm_error ignored;
    uint32_t total, block_bytes;
    error = error == NULL ? &ignored : error;
    error->rule = open_message(message, length, &total, &block_bytes);
    error->position = 0;
    error->text[0] = 0;
    if (error->rule != NULL) {
        return false;
    }
    struct verifier v = {
        .data = message, .total = total, .end = HEADER_BYTES + block_bytes, .depth = 1, .exact = exact, .error = error};
    if (verify_root(&v, schema, block_bytes) && verify_tail(&v)) {
        return true;
    }
    memmove(error->text, error->text + v.path, sizeof error->text - v.path);
    return false;
}

/* ---------------------------------------------------------------- JSON */

/* A walk over a message, forward only, so that it is linear in the message's size whatever the bytes are. */
struct walker {
    const uint8_t *data;
    uint64_t end;
    uint64_t limit;
    uint64_t length;
    int depth;
    bm_sink sink;
    void *context;
    int result;
    bm_error *error;
};

/* The keys of a dictionary, which are walked over together with its values. */
struct entries {
    const struct kind *key;
    uint64_t keys;
    uint64_t keys_end;
    uint64_t values;
};

static bool put(struct walker *w, const char *text, size_t length)
{
    w->result = w->sink(w->context, text, length);
    return w->result == 0;
}

static bool put_text(struct walker *w, const char *text) { return put(w, text, strlen(text)); }

static bool malformed(struct walker *w, uint64_t position, const char *rule)
{
    w->error->rule = rule;
    w->error->position = position;
    w->error->text[0] = 0;
    w->result = -1;
    return false;
}

static bool put_string(struct walker *w, const uint8_t *p, size_t length)
{
    static const char Short[] = "btn?fr";
    uint32_t code;
    unsigned bad;
    size_t start = 0, at = 0;
    if (!put(w, "\"", 1)) {
        return false;
    }
    while (at < length) {
        unsigned count = utf8_next(p + at, length - at, &code, &bad);
        bool is_plain = count == 1 && code >= 0x20 && code < 0x7F && strchr("\"&'+<>`\\", (int)code) == NULL;
        if (is_plain) {
            at++;
            continue;
        }
        char escape[16];
        if (count == 0) {
            code = 0xFFFD;
            count = bad;
        }
        if (code == '\\') {
            strcpy(escape, "\\\\");
        } else if (code >= 8 && code <= 13 && code != 11) {
            snprintf(escape, sizeof escape, "\\%c", Short[code - 8]);
        } else if (code < 0x10000) {
            snprintf(escape, sizeof escape, "\\u%04X", (unsigned)code);
        } else {
            unsigned rest = (unsigned)(code - 0x10000);
            snprintf(escape, sizeof escape, "\\u%04X\\u%04X", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
        }
        if ((at > start && !put(w, (const char *)p + start, at - start)) || !put_text(w, escape)) {
            return false;
        }
        at += count;
        start = at;
    }
    return (at == start || put(w, (const char *)p + start, at - start)) && put(w, "\"", 1);
}

static bool put_base64(struct walker *w, const uint8_t *p, size_t length)
{
    static const char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!put(w, "\"", 1)) {
        return false;
    }
    for (size_t at = 0; at < length; at += 3) {
        size_t rest = length - at;
        uint32_t bits = (uint32_t)p[at] << 16 | (rest > 1 ? (uint32_t)p[at + 1] << 8 : 0) | (rest > 2 ? p[at + 2] : 0);
        char four[4] = {Digits[bits >> 18], Digits[bits >> 12 & 63], rest > 1 ? Digits[bits >> 6 & 63] : '=', rest > 2 ? Digits[bits & 63] : '='};
        if (!put(w, four, 4)) {
            return false;
        }
    }
    return put(w, "\"", 1);
}

/* The decimal digits of a number of four 32-bit parts, the lowest first; at least one digit. */
static const char *wide_digits(uint32_t parts[4], char *buffer, size_t size)
{
    char *at = buffer + size;
    *--at = 0;
    do {
        uint64_t rest = 0;
        for (int i = 3; i >= 0; i--) {
            uint64_t value = rest << 32 | parts[i];
            parts[i] = (uint32_t)(value / 10);
            rest = value % 10;
        }
        *--at = (char)('0' + rest);
    } while ((parts[0] | parts[1] | parts[2] | parts[3]) != 0);
    return at;
}

static void wide_text(const uint8_t *p, bool is_signed, char *text, size_t size)
{
    char buffer[48];
    uint32_t parts[4] = {load32(p), load32(p + 4), load32(p + 8), load32(p + 12)};
    bool is_negative = is_signed && parts[3] >> 31 != 0;
    if (is_negative) {
        uint64_t carry = 1;
        for (int i = 0; i < 4; i++) {
            carry += (uint32_t)~parts[i];
            parts[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    snprintf(text, size, "%s%s", is_negative ? "-" : "", wide_digits(parts, buffer, sizeof buffer));
}

static void decimal_text(const uint8_t *p, char *text, size_t size)
{
    char buffer[48], padded[64];
    uint32_t flags = load32(p), parts[4] = {load32(p + 8), load32(p + 12), load32(p + 4), 0};
    bool is_zero = (parts[0] | parts[1] | parts[2]) == 0;
    const char *sign = flags >> 31 != 0 && !is_zero ? "-" : "", *digits = wide_digits(parts, buffer, sizeof buffer);
    size_t scale = flags >> 16 & 0xFF, length = strlen(digits), zeros_before = scale >= length ? scale + 1 - length : 0;
    memset(padded, '0', zeros_before);
    memcpy(padded + zeros_before, digits, length + 1);
    size_t whole = length + zeros_before - scale;
    snprintf(text, size, "%s%.*s%s%s", sign, (int)whole, padded, scale == 0 ? "" : ".", padded + whole);
}

/* The digits of a text that printf made, and its exponent, whatever the point of the locale is. */
static int split_digits(const char *text, char *digits)
{
    int count = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9') {
            digits[count++] = *text;
        }
    }
    digits[count] = 0;
    return *text == 'e' ? (int)strtol(text + 1, NULL, 10) : 0;
}

static bool reads_back(const char *digits, int exponent, double value, bool is_single)
{
    char text[48];
    snprintf(text, sizeof text, "%se%d", digits, exponent - (int)strlen(digits) + 1);
    return is_single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* The shortest digits that give the same number again: the value is d.ddd times 10 to the power of the result. Of the digits of one length only the
   nearest can be right, except above a power of two, where numbers lie wider: there the next ones can. */
static int shortest_digits(double value, bool is_single, char *digits)
{
    int most = is_single ? 9 : 17, exponent = 0;
    for (int count = 1; count <= most; count++) {
        char text[48];
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        exponent = split_digits(text, digits);
        if (reads_back(digits, exponent, value, is_single)) {
            break;
        }
        if (count < most && digits[count - 1] != '9') {
            digits[count - 1]++;
            if (reads_back(digits, exponent, value, is_single)) {
                break;
            }
        }
    }
    size_t length = strlen(digits);
    while (length > 1 && digits[length - 1] == '0') {
        digits[--length] = 0;
    }
    return exponent;
}

static void float_text(double value, bool is_single, char *text, size_t size)
{
    char digits[32];
    const char *sign = "";
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63 != 0) {
        sign = "-";
        value = -value;
    }
    int exponent = shortest_digits(value, is_single, digits), length = (int)strlen(digits);
    if (exponent >= (is_single ? 9 : 17) || exponent < -4) {
        snprintf(text, size, "%s%c%s%sE%c%02d", sign, digits[0], length > 1 ? "." : "", digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        snprintf(text, size, "%s0.%.*s%s", sign, -exponent - 1, "0000", digits);
    } else if (exponent + 1 >= length) {
        snprintf(text, size, "%s%s%.*s", sign, digits, exponent + 1 - length, "00000000000000000");
    } else {
        snprintf(text, size, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
    }
}

static bool put_float(struct walker *w, double value, bool is_single)
{
    char text[64];
    if (value != value) {
        return put_text(w, "\"NaN\"");
    }
    if (value - value != 0) {
        return put_text(w, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    }
    float_text(value, is_single, text, sizeof text);
    return put_text(w, text);
}

static float half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1F, mantissa = bits & 0x3FFu, wide;
    if (exponent == 0) {
        float value = (float)mantissa / 16777216.0f;
        return sign != 0 ? -value : value;
    }
    wide = sign | (exponent == 31 ? 0xFFu : exponent + 112) << 23 | mantissa << 13;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static int date_text(int64_t days, char *text, size_t size)
{
    /* Days since 0000-03-01, in eras of 400 years. */
    int64_t shifted = days + 306, era = shifted / 146097, day = shifted % 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365, of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    return snprintf(
        text, size, "%04d-%02d-%02d", (int)(year + era * 400 + (month >= 10)), (int)(month < 10 ? month + 3 : month - 9),
        (int)(of_year - (153 * month + 2) / 5 + 1));
}

static int clock_text(int64_t ticks, bool has_fraction, char *text, size_t size)
{
    int64_t seconds = ticks / TICKS_PER_SECOND;
    int length = snprintf(text, size, "%02d:%02d:%02d", (int)(seconds / 3600 % 24), (int)(seconds / 60 % 60), (int)(seconds % 60));
    return has_fraction ? length + snprintf(text + length, size - (size_t)length, ".%07d", (int)(ticks % TICKS_PER_SECOND)) : length;
}

static int date_time_text(int64_t ticks, char *text, size_t size)
{
    int length = date_text(ticks / TICKS_PER_DAY, text, size);
    text[length++] = 'T';
    return length + clock_text(ticks % TICKS_PER_DAY, true, text + length, size - (size_t)length);
}

static void offset_text(int64_t minutes, char *text, size_t size)
{
    snprintf(text, size, "%c%02d:%02d", minutes < 0 ? '-' : '+', abs((int)minutes) / 60, abs((int)minutes) % 60);
}

static int64_t zone_seconds(int64_t utc)
{
    time_t moment = (time_t)utc;
    struct tm parts;
    return localtime_r(&moment, &parts) == NULL ? 0 : (int64_t)parts.tm_gmtoff;
}

/* The offset of this machine's time zone at a local time, as .NET adds it to a local time: the smaller one of a time that a change of the clocks
   repeats or skips. mktime gives either one then, by the calls before it. */
static int64_t local_minutes(int64_t ticks)
{
    const int64_t epoch = INT64_C(62135596800), day = 86400;
    int64_t local = ticks / TICKS_PER_SECOND - epoch, before = zone_seconds(local - 2 * day), after = zone_seconds(local + 2 * day);
    int64_t smaller = before < after ? before : after, larger = before < after ? after : before;
    bool is_larger = zone_seconds(local - larger) == larger && zone_seconds(local - smaller) != smaller;
    return (is_larger ? larger : smaller) / 60;
}

static void guid_text(const uint8_t *p, char *text, size_t size)
{
    snprintf(
        text, size, "%08" PRIx32 "-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", load32(p), load16(p + 4), load16(p + 6), p[8], p[9], p[10], p[11],
        p[12], p[13], p[14], p[15]);
}

static void span_text(int64_t ticks, char *text, size_t size)
{
    uint64_t magnitude = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    uint64_t days = magnitude / (uint64_t)TICKS_PER_DAY;
    int length = snprintf(text, size, "%s", ticks < 0 ? "-" : "");
    if (days != 0) {
        length += snprintf(text + length, size - (size_t)length, "%" PRIu64 ".", days);
    }
    clock_text((int64_t)(magnitude % (uint64_t)TICKS_PER_DAY), magnitude % (uint64_t)TICKS_PER_SECOND != 0, text + length, size - (size_t)length);
}

/* The text of a scalar that is a string in JSON, except a char. */
static void string_text(enum scalar scalar, const uint8_t *p, char *text, size_t size)
{
    uint64_t word = load64(p);
    int length;
    switch (scalar) {
    case S_GUID:
        guid_text(p, text, size);
        break;
    case S_DATETIME:
        length = date_time_text((int64_t)(word & TICKS_MASK), text, size);
        if (word >> 62 == 1) {
            snprintf(text + length, size - (size_t)length, "Z");
        } else if (word >> 62 == 2) {
            offset_text(local_minutes((int64_t)(word & TICKS_MASK)), text + length, size - (size_t)length);
        }
        break;
    case S_DATETIMEOFFSET: {
        int64_t minutes = (int16_t)load16(p + 8);
        length = date_time_text((int64_t)word + minutes * TICKS_PER_MINUTE, text, size);
        offset_text(minutes, text + length, size - (size_t)length);
        break;
    }
    case S_TIMESPAN:
        span_text((int64_t)word, text, size);
        break;
    default:
        clock_text((int64_t)word, true, text, size);
        break;
    }
}

static bool put_char(struct walker *w, uint32_t unit)
{
    uint8_t utf8[3] = {(uint8_t)(0xE0 | unit >> 12), (uint8_t)(0x80 | (unit >> 6 & 0x3F)), (uint8_t)(0x80 | (unit & 0x3F))};
    if (unit < 0x80) {
        utf8[0] = (uint8_t)unit;
        return put_string(w, utf8, 1);
    }
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        return put_text(w, "\"\\uFFFD\"");
    }
    if (unit < 0x800) {
        utf8[0] = (uint8_t)(0xC0 | unit >> 6);
        utf8[1] = (uint8_t)(0x80 | (unit & 0x3F));
        return put_string(w, utf8, 2);
    }
    return put_string(w, utf8, 3);
}

static double single(const uint8_t *p)
{
    uint32_t bits = load32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double wide(const uint8_t *p)
{
    uint64_t bits = load64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool put_scalar(struct walker *w, enum scalar scalar, const uint8_t *p)
{
    char text[96];
    switch (scalar) {
    case S_BOOL:
        return put_text(w, p[0] != 0 ? "true" : "false");
    case S_CHAR:
        return put_char(w, load16(p));
    case S_F16:
        return put_float(w, half(load16(p)), true);
    case S_F32:
        return put_float(w, single(p), true);
    case S_F64:
        return put_float(w, wide(p), false);
    case S_U8:
        snprintf(text, sizeof text, "%u", p[0]);
        break;
    case S_I8:
        snprintf(text, sizeof text, "%d", (int8_t)p[0]);
        break;
    case S_U16:
        snprintf(text, sizeof text, "%u", load16(p));
        break;
    case S_I16:
        snprintf(text, sizeof text, "%d", (int16_t)load16(p));
        break;
    case S_U32:
        snprintf(text, sizeof text, "%" PRIu32, load32(p));
        break;
    case S_I32:
        snprintf(text, sizeof text, "%" PRId32, (int32_t)load32(p));
        break;
    case S_U64:
        snprintf(text, sizeof text, "%" PRIu64, load64(p));
        break;
    case S_I64:
        snprintf(text, sizeof text, "%" PRId64, (int64_t)load64(p));
        break;
    case S_U128:
    case S_I128:
        wide_text(p, scalar == S_I128, text, sizeof text);
        break;
    case S_DECIMAL:
        decimal_text(p, text, sizeof text);
        break;
    case S_DATEONLY:
        date_text((int32_t)load32(p), text, sizeof text);
        return put_string(w, (const uint8_t *)text, strlen(text));
    default:
        string_text(scalar, p, text, sizeof text);
        return put_string(w, (const uint8_t *)text, strlen(text));
    }
    return put_text(w, text);
}

/* The position of a value, for an error only. */
static bool put_value(struct walker *w, const struct kind *kind, const uint8_t *p, uint64_t position)
{
    if (kind->tag == K_SCALAR) {
        return is_valid(kind->scalar, p, false) ? put_scalar(w, kind->scalar, p) : malformed(w, position, Scalars[kind->scalar].rule);
    }
    if (!put(w, "[", 1)) {
        return false;
    }
    for (const struct field *field = kind->fields; field != NULL; field = field->next) {
        if ((field != kind->fields && !put(w, ",", 1)) || (field->is_array && !put(w, "[", 1))) {
            return false;
        }
        for (uint32_t i = 0; i < field->count; i++) {
            uint32_t offset = field->offset + i * field->kind->size;
            if ((i != 0 && !put(w, ",", 1)) || !put_value(w, field->kind, p + offset, position + offset)) {
                return false;
            }
        }
        if (field->is_array && !put(w, "]", 1)) {
            return false;
        }
    }
    return put(w, "]", 1);
}

static bool step(struct walker *w, uint64_t position, uint64_t bytes)
{
    if (position < w->end) {
        return malformed(w, w->end, Order);
    }
    if (position + bytes > w->limit) {
        return malformed(w, w->end, Outside);
    }
    w->end = position + bytes;
    return true;
}

static bool walk_slot(struct walker *w, const struct kind *kind, uint64_t at, uint64_t size, uint64_t offset);

/* Writes a value that the writer did not know. */
static bool put_zero(struct walker *w, const struct kind *kind)
{
    static const uint8_t Zeros[65536];
    return put_value(w, kind, Zeros, 0);
}

static bool walk_member(struct walker *w, const struct member *member, uint64_t at, uint64_t size)
{
    const struct kind *kind = member->kind;
    if (!is_value(kind)) {
        return walk_slot(w, kind, at, size, member->offset);
    }
    bool is_there = (uint64_t)member->offset + kind->size <= size;
    if (!kind->is_nullable) {
        return is_there ? put_value(w, kind, w->data + at + member->offset, at + member->offset) : put_zero(w, kind);
    }
    is_there = is_there && (member->presence_bit >> 3) < size && is_set(w->data + at, member->presence_bit);
    return is_there ? put_value(w, kind, w->data + at + member->offset, at + member->offset) : put_text(w, "null");
}

static bool put_name(struct walker *w, struct slice name) { return put_string(w, (const uint8_t *)name.text, name.length) && put(w, ":", 1); }

static bool walk_message(struct walker *w, const struct type *type, uint64_t at, uint64_t size, struct slice found)
{
    bool is_first = found.text == NULL;
    if (++w->depth > MAX_DEPTH) {
        return malformed(w, at, Depth);
    }
    if (!put(w, "{", 1) || (found.text != NULL && (!put_text(w, "\"$type\":") || !put_string(w, (const uint8_t *)found.text, found.length)))) {
        return false;
    }
    for (uint32_t i = 0; i < type->count; i++) {
        const struct member *member = &type->members[i];
        if (member->name.text == NULL) {
            continue;
        }
        if ((!is_first && !put(w, ",", 1)) || !put_name(w, member->name) || !walk_member(w, member, at, size)) {
            return false;
        }
        is_first = false;
    }
    w->depth--;
    return put(w, "}", 1);
}

static bool walk_nested(struct walker *w, const struct kind *kind, uint64_t payload, uint32_t length)
{
    struct slice none = {NULL, 0};
    uint32_t words = length, number = 0;
    if (kind->tag == K_UNION) {
        words = length & 0xFFFF;
        number = length >> 16;
        if (number == 0) {
            return malformed(w, w->end, Case);
        }
    }
    if (words == 0 || words > MAX_BLOCK_WORDS) {
        return malformed(w, w->end, NestedSlot);
    }
    if (!step(w, payload, words * 8)) {
        return false;
    }
    if (kind->tag == K_MESSAGE) {
        return walk_message(w, kind->type, payload, words * 8, none);
    }
    const struct member *found = number <= kind->type->count ? &kind->type->members[number - 1] : NULL;
    if (found == NULL || found->kind == NULL) {
        char text[32];
        snprintf(text, sizeof text, "{\"$type\":%" PRIu32 "}", number);
        return put_text(w, text);
    }
    return walk_message(w, found->kind->type, payload, words * 8, found->name);
}

static bool walk_key(struct walker *w, struct entries *entries, uint64_t index)
{
    const struct kind *key = entries->key;
    uint64_t at = entries->keys + index * key_bytes(key);
    if (key->tag == K_TEXT) {
        uint64_t end = w->end;
        if (load64(w->data + at) == 0) {
            return malformed(w, at, NullKey);
        }
        w->end = entries->keys_end;
        w->limit = entries->values;
        if (!walk_slot(w, key, entries->keys, (index + 1) * 8, index * 8)) {
            return false;
        }
        entries->keys_end = w->end;
        w->end = end;
        w->limit = w->length;
        return put(w, ":", 1);
    }
    bool is_number = key->scalar == S_BOOL || (key->scalar >= S_U8 && key->scalar <= S_I128);
    return (!is_number || put(w, "\"", 1)) && put_value(w, key, w->data + at, at) && put_text(w, is_number ? "\":" : ":");
}

static bool begin_element(struct walker *w, struct entries *entries, uint64_t index)
{
    return (index == 0 || put(w, ",", 1)) && (entries == NULL || walk_key(w, entries, index));
}

static bool walk_messages(struct walker *w, const struct type *type, uint64_t payload, uint64_t count, struct entries *entries)
{
    struct slice none = {NULL, 0};
    if (!step(w, payload, 8)) {
        return false;
    }
    uint64_t header = load64(w->data + payload), flags = header >> 16, size = (header & 0xFFFF) * 8;
    if (size == 0 || flags > 1) {
        return malformed(w, payload, MessageListHeader);
    }
    uint64_t bitmap = w->end, first = bitmap + (flags == 0 ? 0 : values_offset(count, 8));
    if (!step(w, bitmap, first - bitmap) || !step(w, first, count * size)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!begin_element(w, entries, i)) {
            return false;
        }
        bool is_there = flags == 0 || is_set(w->data + bitmap, i);
        if (!(is_there ? walk_message(w, type, first + i * size, size, none) : put_text(w, "null"))) {
            return false;
        }
    }
    return true;
}

static bool walk_elements(struct walker *w, const struct kind *kind, uint64_t payload, uint64_t count, struct entries *entries)
{
    if (kind->tag == K_MESSAGE) {
        return walk_messages(w, kind->type, payload, count, entries);
    }
    bool is_nullable = is_value(kind) && kind->is_nullable;
    uint64_t offset = is_nullable ? values_offset(count, kind->alignment) : 0, size = is_value(kind) ? kind->size : 8;
    if (!step(w, payload, offset + count * size)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = payload + offset + i * size;
        if (!begin_element(w, entries, i)) {
            return false;
        }
        bool done = !is_value(kind)                                ? walk_slot(w, kind, payload, count * 8, i * 8)
            : is_nullable && !is_set(w->data + payload, i) ? put_text(w, "null")
                                                           : put_value(w, kind, w->data + at, at);
        if (!done) {
            return false;
        }
    }
    return true;
}

static bool walk_table(struct walker *w, const struct kind *kind, uint64_t payload, uint64_t count)
{
    if (!step(w, payload, keys_offset(count))) {
        return false;
    }
    uint64_t header = load64(w->data + payload);
    if (header > INT32_MAX) {
        return malformed(w, payload, DictionaryHeader);
    }
    if (kind->tag == K_SET) {
        return header == 0 ? walk_elements(w, kind->key, w->end, count, NULL) : malformed(w, payload, SetHeader);
    }
    struct entries entries = {.key = kind->key, .keys = w->end, .values = payload + header};
    if (!step(w, entries.keys, count * key_bytes(kind->key))) {
        return false;
    }
    entries.values = entries.values < w->length ? entries.values : w->length;
    entries.keys_end = w->end;
    return walk_elements(w, kind->element, entries.values, count, &entries);
}

static bool walk_bytes(struct walker *w, const struct kind *kind, uint64_t at, uint64_t slot, uint64_t payload)
{
    uint64_t length = slot >> 56 & 0x7F;
    if (slot >> 63 == 0) {
        at = payload;
        length = (uint32_t)slot;
        if (!step(w, payload, length)) {
            return false;
        }
    } else if (length > MAX_INLINE_BYTES) {
        return malformed(w, at, InlineLength);
    }
    return kind->tag == K_TEXT ? put_string(w, w->data + at, (size_t)length) : put_base64(w, w->data + at, (size_t)length);
}

static bool walk_slot(struct walker *w, const struct kind *kind, uint64_t at, uint64_t size, uint64_t offset)
{
    uint64_t slot = offset + 8 <= size ? load64(w->data + at + offset) : 0, payload = at + (slot >> 32);
    if (slot == 0) {
        return put_text(w, "null");
    }
    if (kind->tag == K_TEXT || kind->tag == K_BINARY) {
        return walk_bytes(w, kind, at + offset, slot, payload);
    }
    if (kind->tag == K_MESSAGE || kind->tag == K_UNION) {
        return walk_nested(w, kind, payload, (uint32_t)slot);
    }
    uint32_t count = slot == EMPTY_SLOT ? 0 : (uint32_t)slot;
    if (count == 0 && slot != EMPTY_SLOT && !step(w, payload, 0)) {
        return false;
    }
    bool is_dictionary = kind->tag == K_DICTIONARY;
    return put(w, is_dictionary ? "{" : "[", 1)
        && (count == 0 || (kind->tag == K_LIST ? walk_elements(w, kind->element, payload, count, NULL) : walk_table(w, kind, payload, count)))
        && put(w, is_dictionary ? "}" : "]", 1);
}

int bm_write_json(const void *message, size_t length, const bm_schema *schema, bm_sink sink, void *context, bm_error *error)
{
    bm_error ignored;
    uint32_t total, block_bytes;
    struct slice none = {NULL, 0};
    error = error == NULL ? &ignored : error;
    error->rule = open_message(message, length, &total, &block_bytes);
    error->position = 0;
    error->text[0] = 0;
    if (error->rule != NULL) {
        return -1;
    }
    struct walker w = {
        .data = message, .end = HEADER_BYTES + block_bytes, .limit = total, .length = total, .sink = sink, .context = context, .error = error};
    if (!schema->root->is_union) {
        walk_message(&w, schema->root, HEADER_BYTES, block_bytes, none);
    } else {
        w.depth = 1;
        walk_slot(&w, &schema->root_kind, HEADER_BYTES, block_bytes, 0);
    }
    return w.result;
}

int bm_write_json_text(const char *utf8, size_t length, bm_sink sink, void *context)
{
    struct walker w = {.sink = sink, .context = context};
    put_string(&w, (const uint8_t *)utf8, length);
    return w.result;
}

/* ---------------------------------------------------------------- queues */

#define CONTROL_BYTES 462336u
#define SCHEMA_OFFSET 200192u
#define SCHEMA_BYTES 262144u
#define RING_SLOTS_OFFSET 167424u
#define RING_SLOT_BYTES 128u
#define PARTICIPANT_SLOTS 256u
#define SEGMENT_HEADER_BYTES 128u
#define RECORD_HEADER_BYTES 16u
#define HAS_CHECKSUMS 1u
#define HAS_PROPERTIES (1u << 16)
#define IS_CONTINUED (1u << 17)
#define MAX_PATH 4096
#define LAST_SEGMENT (INT64_MAX >> 32) /* no position overflows */

static const char NotQueue[] = "this is not a queue";
static const char Newer[] = "a newer program made it: update this reader";
static const char Damaged[] = "the files are damaged";
static const char Failed[] = "the system refused it";

struct mapping {
    const uint8_t *data;
    size_t size;
};

struct bm_queue {
    struct mapping control;
    struct mapping ring;
    struct mapping segment;
    int64_t number; /* of the segment that was entered; -1 for none */
    uint64_t free_word;
    int64_t position;
    uint8_t *copy; /* of a record of a bounded queue */
    size_t copy_size;
    bm_queue_info info;
    bool has_crashed;
    int64_t whole_end; /* after a crash: of the record or batch that was found whole */
    char directory[MAX_PATH];
};

static uint64_t load_acquire(const uint8_t *p) { return atomic_load_explicit((const _Atomic uint64_t *)(const void *)p, memory_order_acquire); }
static uint32_t load_acquire32(const uint8_t *p) { return atomic_load_explicit((const _Atomic uint32_t *)(const void *)p, memory_order_acquire); }

static int queue_error(const bm_queue *queue, bm_error *error, const char *rule, const char *detail)
{
    error->rule = rule;
    error->position = (uint64_t)queue->position;
    snprintf(error->text, sizeof error->text, "%.800s: %s", queue->directory, detail);
    return -1;
}

static void unmap(struct mapping *mapping)
{
    if (mapping->data != NULL) {
        munmap((void *)(uintptr_t)mapping->data, mapping->size);
    }
    *mapping = (struct mapping){NULL, 0};
}

/* 0, or errno. A file below the size is EINVAL, and so is a pipe or a folder. O_NONBLOCK opens a pipe without a wait for its writer. */
static int map(const char *directory, const char *name, size_t least, struct mapping *mapping)
{
    char path[MAX_PATH + 64];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno;
    }
    int result = fstat(file, &status) != 0 ? errno : !S_ISREG(status.st_mode) || status.st_size < 0 || (uint64_t)status.st_size < least ? EINVAL : 0;
    if (result == 0) {
        void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
        result = data == MAP_FAILED ? errno : 0;
        if (result == 0) {
            *mapping = (struct mapping){data, (size_t)status.st_size};
        }
    }
    close(file);
    return result;
}

/* The GUID of the running system as .NET stores it. Where the system has none, nothing is known of a crash. */
static bool boot_differs(const uint8_t *stored)
{
    char text[64] = "", stored_text[64];
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, 36);
    if (file >= 0) {
        close(file);
    }
    guid_text(stored, stored_text, sizeof stored_text);
    return length == 36 && strcmp(text, stored_text) != 0;
}

static bool read_control(bm_queue *queue, bm_error *error)
{
    const uint8_t *control = queue->control.data;
    bm_queue_info *info = &queue->info;
    if (memcmp(control, "BMQ1", 4) != 0) {
        return queue_error(queue, error, NotQueue, "the control file does not begin with BMQ1") == 0;
    }
    if (load32(control + 4) != 2) {
        return queue_error(queue, error, Newer, "the version is not 2") == 0;
    }
    if (queue->control.size < CONTROL_BYTES) {
        return queue_error(queue, error, Damaged, "the control file is cut off") == 0;
    }
    info->mode = load32(control + 8);
    info->has_one_producer = load32(control + 12) == 1;
    info->segment_bytes = (int64_t)load64(control + 16);
    info->slots = load32(control + 24);
    uint32_t required = load32(control + 28);
    info->has_checksums = (required & HAS_CHECKSUMS) != 0;
    info->created = (int64_t)load64(control + 40);
    memcpy(info->id, control + 1552, 16);
    info->schema_text = (const char *)control + SCHEMA_OFFSET;
    if ((required & ~HAS_CHECKSUMS) != 0) {
        return queue_error(queue, error, Newer, "the queue has required features that this reader does not know") == 0;
    }
    if (load_acquire32(control + 64) > BM_VALUES) {
        return queue_error(queue, error, Newer, "the queue has a content that this reader does not know") == 0;
    }
    int64_t bytes = info->segment_bytes;
    if ((info->mode != BM_DURABLE && info->mode != BM_BOUNDED) || bytes < 1 << 16 || bytes > 1 << 30 || (bytes & (bytes - 1)) != 0
        || (info->mode == BM_BOUNDED && (info->slots < 2 || info->slots > 256))) {
        return queue_error(queue, error, Damaged, "the control file has impossible values") == 0;
    }
    return true;
}

bm_queue *bm_queue_open(const char *directory, bm_error *error)
{
    bm_error ignored;
    error = error == NULL ? &ignored : error;
    memset(error, 0, sizeof *error);
    bm_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL || strlen(directory) >= MAX_PATH) {
        free(queue);
        error->rule = queue == NULL ? "memory is short" : "the path is too long";
        return NULL;
    }
    strcpy(queue->directory, directory);
    queue->number = -1;
    int result = map(directory, "control", 8, &queue->control);
    if (result != 0) {
        queue_error(queue, error, result == ENOENT || result == ENOTDIR || result == EINVAL ? NotQueue : Failed, strerror(result));
        bm_queue_close(queue);
        return NULL;
    }
    if (!read_control(queue, error)) {
        bm_queue_close(queue);
        return NULL;
    }
    if (queue->info.mode == BM_BOUNDED) {
        result = map(directory, "ring", queue->info.slots * (size_t)queue->info.segment_bytes, &queue->ring);
        if (result != 0) {
            queue_error(queue, error, result == EINVAL ? Damaged : Failed, "the ring cannot be mapped, or is cut off");
            bm_queue_close(queue);
            return NULL;
        }
    } else {
        queue->has_crashed = boot_differs(queue->control.data + 1408);
    }
    return queue;
}

void bm_queue_close(bm_queue *queue)
{
    if (queue != NULL) {
        unmap(&queue->segment);
        unmap(&queue->ring);
        unmap(&queue->control);
        free(queue->copy);
        free(queue);
    }
}

static uint64_t ring_state(const bm_queue *queue, uint64_t slot)
{
    return load_acquire(queue->control.data + RING_SLOTS_OFFSET + slot * RING_SLOT_BYTES);
}

/* The number of the oldest segment; -1 if a bounded queue has none, and then how many are open is 0. INT64_MAX, which no segment has, if a slot of
   the ring names a segment of another slot. */
static int64_t first_segment(const bm_queue *queue, int64_t *open)
{
    int64_t first = -1;
    *open = 0;
    if (queue->info.mode == BM_DURABLE) {
        /* In this order: both only grow, and the newest segment is never deleted. */
        first = (int64_t)load_acquire(queue->control.data + 1024);
        *open = (int64_t)load_acquire(queue->control.data + 384);
        return first;
    }
    for (uint32_t slot = 0; slot < queue->info.slots; slot++) {
        uint64_t state = ring_state(queue, slot);
        if (state != 0 && state % 2 == 0) {
            int64_t number = (int64_t)(state / 2 - 1);
            if ((uint64_t)number % queue->info.slots != slot) {
                return INT64_MAX;
            }
            first = first < 0 || number < first ? number : first;
            ++*open;
        }
    }
    return first;
}

static bool is_open(const bm_queue *queue, int64_t number)
{
    if (number > LAST_SEGMENT) {
        return false;
    }
    if (queue->info.mode == BM_DURABLE) {
        return number < (int64_t)load_acquire(queue->control.data + 384);
    }
    return ring_state(queue, (uint64_t)number % queue->info.slots) == 2 * (uint64_t)number + 2;
}

void bm_queue_get_info(const bm_queue *queue, bm_queue_info *info)
{
    *info = queue->info;
    info->content = load_acquire32(queue->control.data + 64);
    info->schema_bytes = load_acquire32(queue->control.data + 68);
    info->schema_bytes = info->schema_bytes > SCHEMA_BYTES ? SCHEMA_BYTES : info->schema_bytes;
    info->epoch = load_acquire(queue->control.data + 1536);
    info->first_segment = first_segment(queue, &info->open_segments);
}

void bm_queue_seek(bm_queue *queue, int64_t position)
{
    queue->position = position < 0 ? 0 : position & ~INT64_C(15);
    queue->whole_end = 0;
}

static uint64_t epoch_of(const bm_queue *queue, int64_t position)
{
    uint64_t newest = load_acquire(queue->control.data + 1536), epoch = newest;
    for (; epoch > 1 && newest - epoch < 63; epoch--) {
        if ((int64_t)load_acquire(queue->control.data + 2048 + epoch % 64 * 8) <= position) {
            break;
        }
    }
    return epoch;
}

static uint32_t record_checksum(const uint8_t *record, int64_t position, uint64_t word, uint32_t length)
{
    uint8_t head[20];
    for (int i = 0; i < 8; i++) {
        head[i] = (uint8_t)((uint64_t)position >> (8 * i));
        head[8 + i] = (uint8_t)(word >> (8 * i));
        head[16 + i % 4] = (uint8_t)(length >> (8 * (i % 4)));
    }
    return bm_crc32c(bm_crc32c(0, head, sizeof head), record + RECORD_HEADER_BYTES, length);
}

/* Finds the entries of a record's properties: what is wrong with their block, or NULL. */
static const char *find_properties(const uint8_t *record, uint64_t bytes, bm_record *result)
{
    uint64_t room = bytes - RECORD_HEADER_BYTES - result->length;
    const uint8_t *end = record + bytes;
    uint32_t length = room < 8 ? 0 : load32(end - 8);
    if (length < 8 || length % 8 != 0 || length > room) {
        return "the properties of a record have an impossible length";
    }
    uint8_t position[8];
    for (int i = 0; i < 8; i++) {
        position[i] = (uint8_t)((uint64_t)result->position >> (8 * i));
    }
    if (bm_crc32c(bm_crc32c(0, position, 8), end - length, length - 4) != load32(end - 4)) {
        return "the checksum of the properties of a record differs";
    }
    result->properties = end - length;
    result->properties_length = length - 8;
    return NULL;
}

/* Whether a finished record is as it was written, as far as that can be checked. Padding that fills the rest of a segment has no checksum. */
static bool is_whole(const bm_queue *queue, const uint8_t *record, int64_t position, uint64_t word, uint64_t rest)
{
    uint64_t state = word & 7, bytes = word >> 32;
    if (state < 2 || state > 3 || bytes == 0 || bytes % 16 != 0 || bytes > rest) {
        return false;
    }
    uint32_t length = load32(record + 8), checksum = load32(record + 12);
    uint64_t room = state == 3 ? 0u : bytes - RECORD_HEADER_BYTES;
    if (!queue->info.has_checksums) {
        return state == 3 || length <= room;
    }
    if (state == 3 && length == 0 && checksum == 0 && bytes == rest) {
        return true;
    }
    /* A checksum may also be 0. */
    if (length > room || record_checksum(record, position, word, length) != checksum) {
        return false;
    }
    bm_record found = {.position = position, .length = length};
    return state == 3 || (word & HAS_PROPERTIES) == 0 || find_properties(record, bytes, &found) == NULL;
}

/* What is not as it was written: -1, but after a crash of the machine 0, since the queue ends before it. */
static int not_whole(const bm_queue *queue, bm_error *error, const char *detail)
{
    return queue->has_crashed ? 0 : queue_error(queue, error, Damaged, detail);
}

/* Checks the header of a segment, which is a copy, also as the record that it is. */
static int check_header(bm_queue *queue, int64_t number, const uint8_t *header, bm_error *error)
{
    uint64_t word = load64(header);
    if (memcmp(header + 16, "BMS1", 4) != 0 || load32(header + 124) != bm_crc32c(0, header + 16, 108) || (word & 7) != 3
        || word >> 32 != load16(header + 22)) {
        return not_whole(queue, error, "the header of a segment is not whole");
    }
    if (load16(header + 20) != 1 || load16(header + 22) != SEGMENT_HEADER_BYTES || load32(header + 24) != 0) {
        return queue_error(queue, error, Newer, "a segment has a version or required features that this reader does not know");
    }
    if (memcmp(header + 32, queue->info.id, 16) != 0 || (int64_t)load64(header + 48) != number) {
        return queue_error(queue, error, Damaged, "a segment belongs to another queue, or to another place in it");
    }
    if ((load64(header + 56) & 7) != 0) {
        return queue_error(queue, error, Damaged, "the word of the free places of a segment is that of a record");
    }
    if (!is_whole(queue, header, number * queue->info.segment_bytes, word, (uint64_t)queue->info.segment_bytes)) {
        return not_whole(queue, error, "the header of a segment does not have the checksum that it was written with");
    }
    queue->free_word = load64(header + 56);
    queue->number = number;
    return 1;
}

/* Maps a segment and checks its header. 1 if it can be read, 0 if it is gone or, after a crash of the machine, not whole, -1 on an error. */
static int enter_segment(bm_queue *queue, int64_t number, bm_error *error)
{
    uint8_t header[SEGMENT_HEADER_BYTES];
    char name[40];
    int64_t open;
    if (number == queue->number) {
        return 1;
    }
    queue->number = -1;
    if (queue->info.mode == BM_BOUNDED) {
        memcpy(header, queue->ring.data + (uint64_t)number % queue->info.slots * (uint64_t)queue->info.segment_bytes, sizeof header);
        atomic_thread_fence(memory_order_acquire);
        return is_open(queue, number) ? check_header(queue, number, header, error) : 0;
    }
    unmap(&queue->segment);
    snprintf(name, sizeof name, "%020" PRId64 ".segment", number * queue->info.segment_bytes);
    int result = map(queue->directory, name, (size_t)queue->info.segment_bytes, &queue->segment);
    if (result == ENOENT) {
        return first_segment(queue, &open) > number ? 0 : not_whole(queue, error, "the file of a segment is missing");
    }
    if (result != 0) {
        return result == EINVAL ? not_whole(queue, error, "a segment is cut off, or not a file") : queue_error(queue, error, Failed, "a segment cannot be mapped");
    }
    memcpy(header, queue->segment.data, sizeof header);
    return check_header(queue, number, header, error);
}

/* Whether the writer of a reserved record died: its lease can be locked. The record may have been committed just before. */
static bool is_dead(const bm_queue *queue, uint64_t word, const uint8_t *record)
{
    char path[MAX_PATH + 64];
    snprintf(path, sizeof path, "%s/leases/%u", queue->directory, (unsigned)(word >> 3 & 0x1FFF));
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno == ENOENT && load_acquire(record) == word;
    }
    bool is_free = flock(file, LOCK_SH | LOCK_NB) == 0;
    close(file);
    return is_free && load_acquire(record) == word;
}

/* Whether the record at the position and, if it begins a batch, the rest of that are as they were written. Stores the end. */
static bool find_whole_end(bm_queue *queue, const uint8_t *record, uint64_t rest)
{
    int64_t position = queue->position;
    while (rest != 0) {
        uint64_t word = load_acquire(record), bytes = word >> 32;
        if (!is_whole(queue, record, position, word, rest)) {
            return false;
        }
        position += (int64_t)bytes;
        record += bytes;
        rest -= bytes;
        if ((word & 7) == 3 || (word & IS_CONTINUED) == 0) {
            queue->whole_end = position;
            return true;
        }
    }
    return false;
}

static bool has_length_of_kind(const bm_property *property)
{
    switch (property->kind) {
    case 1:
        return property->length == 8;
    case 2:
        return property->length >= 25;
    case 3:
        return property->length == 32;
    case 6:
        return property->length == 4;
    case 8:
        return property->length >= 2 && load16(property->data) + 2u <= property->length;
    default:
        return true;
    }
}

static int read_properties(bm_queue *queue, const uint8_t *record, uint64_t bytes, bm_record *result, bm_error *error)
{
    const char *fault = find_properties(record, bytes, result);
    if (fault != NULL) {
        return queue_error(queue, error, Damaged, fault);
    }
    bm_property property;
    uint16_t last = 0;
    size_t offset = 0;
    while (bm_record_property(result, &offset, &property) == 1) {
        if (property.kind < last || (property.kind == last && last < 8)) {
            return queue_error(queue, error, Damaged, "the properties of a record are not in order, or one is there twice");
        }
        if (!has_length_of_kind(&property)) {
            return queue_error(queue, error, Damaged, "a property of a record is not of the length that its kind has");
        }
        last = property.kind;
    }
    for (; offset < result->properties_length; offset++) {
        if (result->properties[offset] != 0) {
            return queue_error(queue, error, Damaged, "the properties of a record have bytes after the last entry");
        }
    }
    return 1;
}

static int read_record(bm_queue *queue, const uint8_t *record, uint64_t word, int64_t position, bm_record *result, bm_error *error)
{
    uint64_t bytes = word >> 32;
    *result = (bm_record){.position = position, .epoch = epoch_of(queue, position), .payload = record + RECORD_HEADER_BYTES, .length = load32(record + 8)};
    if ((word >> 24 & 0xFF) != 0) {
        return queue_error(queue, error, Newer, "a record has required features that this reader does not know");
    }
    if (result->length > bytes - RECORD_HEADER_BYTES) {
        return queue_error(queue, error, Damaged, "the payload of a record is longer than the record");
    }
    if (queue->info.has_checksums && record_checksum(record, position, word, (uint32_t)result->length) != load32(record + 12)) {
        return queue_error(queue, error, Damaged, "the checksum of a record differs");
    }
    return (word & HAS_PROPERTIES) == 0 ? 1 : read_properties(queue, record, bytes, result, error);
}

/* The copy of a record of a bounded queue, which a producer may overwrite meanwhile. */
static const uint8_t *copy_record(bm_queue *queue, const uint8_t *record, uint64_t bytes)
{
    if (queue->copy_size < bytes) {
        uint8_t *copy = realloc(queue->copy, bytes);
        if (copy == NULL) {
            return NULL;
        }
        queue->copy = copy;
        queue->copy_size = bytes;
    }
    memcpy(queue->copy, record, bytes);
    return queue->copy;
}

/* At the end of a queue whose machine crashed: a participant may have repaired it meanwhile. Then the segment is looked at anew: 2, otherwise 0. */
static int look_again(bm_queue *queue)
{
    queue->has_crashed = boot_differs(queue->control.data + 1408);
    queue->number = queue->has_crashed ? queue->number : -1;
    return queue->has_crashed ? 0 : 2;
}

/* One step: 1 for a record, 0 at the end for now, 2 if there is more to look at, -1 on an error. */
static int next_step(bm_queue *queue, bm_record *result, bm_error *error)
{
    const int64_t size = queue->info.segment_bytes;
    int64_t open, first = first_segment(queue, &open), number = queue->position / size;
    bool is_durable = queue->info.mode == BM_DURABLE;
    if (first < 0 && !is_durable) {
        return 0;
    }
    if (first < 0 || first > LAST_SEGMENT) {
        return queue_error(queue, error, Damaged, "the control file has an impossible first segment");
    }
    if (is_durable && !queue->has_crashed && first >= open && (first != 0 || open != 0)) {
        return queue_error(queue, error, Damaged, "the newest segment of the control file is before the first one");
    }
    if (number < first) {
        number = first;
        queue->position = first * size;
    }
    int entered = is_open(queue, number) ? enter_segment(queue, number, error) : 0;
    if (entered < 0) {
        return -1;
    }
    if (entered == 0) {
        return first_segment(queue, &open) > number ? 2 : queue->has_crashed ? look_again(queue) : 0;
    }
    if (queue->position % size == 0) {
        /* The header, a record of padding that was checked when the segment was entered. */
        queue->position += SEGMENT_HEADER_BYTES;
    }
    uint64_t offset = (uint64_t)(queue->position % size), rest = (uint64_t)size - offset;
    const uint8_t *record = is_durable ? queue->segment.data + offset : queue->ring.data + (uint64_t)number % queue->info.slots * (uint64_t)size + offset;
    uint64_t word = load_acquire(record), state = word & 7, owner = word >> 3 & 0x1FFF, bytes = word >> 32;
    bool is_valid = state >= 1 && state <= 3 && bytes != 0 && bytes % 16 == 0 && bytes <= rest
        && (state != 1 || (owner != 0 && owner < PARTICIPANT_SLOTS));
    if (word == queue->free_word || (state == 1 && is_valid && !is_dead(queue, word, record))) {
        return is_durable || is_open(queue, number) ? 0 : 2;
    }
    if (!is_durable) {
        record = is_valid ? copy_record(queue, record, bytes) : record;
        if (record == NULL) {
            return queue_error(queue, error, "memory is short", "a record cannot be copied");
        }
        atomic_thread_fence(memory_order_acquire);
        if (!is_open(queue, number)) {
            return 2;
        }
    }
    if (!is_valid || (queue->has_crashed && queue->position >= queue->whole_end && !find_whole_end(queue, record, rest))) {
        return queue->has_crashed ? look_again(queue) : queue_error(queue, error, Damaged, "a record has an impossible state word");
    }
    int64_t position = queue->position;
    if (state == 3 && !is_whole(queue, record, position, word, rest)) {
        return queue_error(queue, error, Damaged, "padding does not have the checksum that it was written with");
    }
    int outcome = state == 2 ? read_record(queue, record, word, position, result, error) : 2;
    queue->position = outcome < 0 ? position : position + (int64_t)bytes;
    return outcome;
}

int bm_queue_next(bm_queue *queue, bm_record *record, bm_error *error)
{
    bm_error ignored;
    int outcome;
    do {
        outcome = next_step(queue, record, error == NULL ? &ignored : error);
    } while (outcome == 2);
    return outcome;
}

int bm_record_property(const bm_record *record, size_t *offset, bm_property *property)
{
    if (record->properties == NULL || record->properties_length < 4 || *offset > record->properties_length - 4) {
        return 0;
    }
    const uint8_t *entry = record->properties + *offset;
    *property = (bm_property){load16(entry), load16(entry + 2), entry + 4};
    if (property->kind == 0 || property->length > record->properties_length - 4 - *offset) {
        return 0;
    }
    *offset += 4 + align_up(property->length, 4);
    return 1;
}
