/* Writes zip files with stored entries (PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16) that are arrays in the
 * format NPY 1.0 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#include "cli/output/npz.h"

#include "core/error.h"

#include <libdeflate.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the types of arrays say little-endian");

enum { NPY_HEADER = 128 }; /* bytes before the elements, a multiple of 64 */
static const uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50;
static const uint16_t zip_version = 20, first_date = 1 << 5 | 1; /* 1980-01-01 */

static void write_bytes(npz *npz, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, npz->stream);
    npz->size += size;
}

static void write_16(npz *npz, uint16_t value) { write_bytes(npz, &value, sizeof value); }
static void write_32(npz *npz, uint32_t value) { write_bytes(npz, &value, sizeof value); }

/* Writes the fields that the local header and the directory have in common. */
static void write_entry(npz *npz, const npz_entry *entry) {
    write_16(npz, zip_version);
    write_16(npz, 0); /* flags */
    write_16(npz, 0); /* method: stored */
    write_16(npz, 0); /* time */
    write_16(npz, first_date);
    write_32(npz, entry->checksum);
    write_32(npz, entry->size);
    write_32(npz, entry->size);
    write_16(npz, (uint16_t)strlen(entry->name));
    write_16(npz, 0); /* length of extra fields */
}

/* Writes the header of an .npy file: magic number, version, length of the description, description. */
static void make_npy_header(char header[NPY_HEADER + 1], const char *type, int dimensions, const size_t *shape) {
    char lengths[80] = "";
    for (int d = 0; d < dimensions; d++)
        snprintf(lengths + strlen(lengths), sizeof lengths - strlen(lengths), "%zu,", shape[d]);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = NPY_HEADER - 10;
    header[9] = 0;
    int length = snprintf(header + 10, NPY_HEADER - 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          type, lengths);
    memset(header + 10 + length, ' ', (size_t)(NPY_HEADER - 10 - length));
    header[NPY_HEADER - 1] = '\n';
}

void npz_add(npz *npz, const char *name, const char *type, size_t element_size, int dimensions, const size_t *shape,
             const void *elements) {
    char header[NPY_HEADER + 1];
    size_t size = element_size;
    PD_ASSERT(npz->count < NPZ_MAX_ARRAYS && dimensions <= 3);
    for (int d = 0; d < dimensions; d++) size *= shape[d];
    if (npz->size + size + 65536 > UINT32_MAX) npz->too_large = true; /* 65536: more than headers and directory take */
    if (npz->too_large) return;
    npz_entry *entry = &npz->entries[npz->count++];
    make_npy_header(header, type, dimensions, shape);
    snprintf(entry->name, sizeof entry->name, "%s.npy", name);
    entry->checksum = libdeflate_crc32(libdeflate_crc32(0, header, NPY_HEADER), elements, size);
    entry->size = (uint32_t)(NPY_HEADER + size);
    entry->offset = (uint32_t)npz->size;
    write_32(npz, local_signature);
    write_entry(npz, entry);
    write_bytes(npz, entry->name, strlen(entry->name));
    write_bytes(npz, header, NPY_HEADER);
    write_bytes(npz, elements, size);
}

void npz_end(npz *npz) {
    uint32_t start = (uint32_t)npz->size;
    for (int i = 0; i < npz->count; i++) {
        const npz_entry *entry = &npz->entries[i];
        write_32(npz, central_signature);
        write_16(npz, zip_version);
        write_entry(npz, entry);
        write_16(npz, 0); /* length of the comment */
        write_16(npz, 0); /* number of the disk */
        write_16(npz, 0); /* internal attributes */
        write_32(npz, 0); /* external attributes */
        write_32(npz, entry->offset);
        write_bytes(npz, entry->name, strlen(entry->name));
    }
    uint32_t size = (uint32_t)npz->size - start;
    write_32(npz, end_signature);
    write_16(npz, 0); /* number of this disk */
    write_16(npz, 0); /* disk of the directory */
    write_16(npz, (uint16_t)npz->count);
    write_16(npz, (uint16_t)npz->count);
    write_32(npz, size);
    write_32(npz, start);
    write_16(npz, 0); /* length of the comment */
}
