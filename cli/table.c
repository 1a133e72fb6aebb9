#include "options.h"

#include <tamis/filter.h>

#define C(x) (1u << CMD_##x)
#define READERS (C(DEDUP) | C(BUILD) | C(ADD) | C(CHECK) | C(COMMON) | C(MINUS) | C(REMOVE))
#define LISTS_OF_FILES (C(DEDUP) | C(BUILD) | C(ADD) | C(CHECK) | C(REMOVE))
#define SELECTS (C(COMMON) | C(MINUS))
#define EVERY ((1u << CMD_COUNT) - 1)

#define STATUS_0_2 "0 on success, 2 on an error."
#define STATUS_0_2_3 \
    "0 on success, 2 on an error, 3 when it finished but the promised error rate did not hold."
#define STATUS_BENCH "0 when it ran, 1 with --strict when a target was missed, 2 on an error."
#define STATUS_GREP "0 when a line was selected, 1 when none was, 2 on an error."

const command_row command_table[CMD_COUNT] = {
    [CMD_DEDUP] =
        {"dedup", "uniq", "[FILE]...", 0, SIZE_MAX, NULL,
         "print every line the first time it is seen, in order, while reading",
         "Prints every line of the FILEs (or of standard input) the first time it is seen, in order and "
         "while reading. What was seen is kept in a filter, by default with an error rate of 1e-9: a line "
         "is dropped wrongly that rarely, and --stats tells how many such lines are to be expected. A "
         "repeated line is never printed again.",
         STATUS_0_2_3},
    [CMD_BUILD] =
        {"build", NULL, "-o LIST [FILE]...", 0, SIZE_MAX, NULL, "make a filter file from lines",
         "Makes the filter file LIST from the lines of the FILEs (or of standard input). With -n it has a "
         "fixed size for N distinct lines; without, the size is estimated from the files and grows if "
         "that was too small.",
         STATUS_0_2_3},
    [CMD_ADD] = {"add", NULL, "LIST [FILE]...", 1, SIZE_MAX, "the filter file LIST is missing",
                 "add lines to a filter file",
                 "Adds the lines of the FILEs (or of standard input) to the filter file LIST. The file is "
                 "locked, read whole, and replaced whole.",
                 STATUS_0_2_3},
    [CMD_CHECK] =
        {"check", NULL, "LIST [FILE]...", 0, SIZE_MAX, NULL,
         "print the lines that are (with -v: are not) in a filter file",
         "Prints the lines of the FILEs (or of standard input) that are in the filter file LIST, or with "
         "-v those that are not. A line that was added is always found; one that was not is found with "
         "the filter's error rate.",
         STATUS_GREP},
    [CMD_COMMON] =
        {"common", NULL, "A B", 2, 2, "two files are needed, A and B",
         "print every line of A that occurs in B: exact",
         "Prints every line of file A, repeats included and in the order of A, that occurs in file B. The "
         "answer is exact; memory stays within the limit, for files far larger than it too. One of the "
         "two may be \"-\". -k, -t and the other options of records hold for A and B alike.",
         STATUS_GREP},
    [CMD_MINUS] =
        {"minus", NULL, "A B", 2, 2, "two files are needed, A and B",
         "print every line of A that does not occur in B: exact",
         "Prints every line of file A, repeats included and in the order of A, that does not occur in "
         "file B. The answer is exact; memory stays within the limit, for files far larger than it too. "
         "One of the two may be \"-\". -k, -t and the other options of records hold for A and B alike.",
         STATUS_GREP},
    [CMD_MERGE] =
        {"merge", NULL, "-o OUT LIST...", 1, SIZE_MAX, "the filter files to merge are missing",
         "make the union of filter files",
         "Makes one filter file OUT of several that have the same kind, capacity, error rate, seed and "
         "normalisation. OUT may be one of them. Filters that grow, as build makes them without -n, cannot be "
         "merged.",
         STATUS_0_2_3},
    [CMD_INFO] =
        {"info", NULL, "LIST", 1, 1, "the filter file LIST is missing",
         "tell everything that a filter file says of itself",
         "Tells everything that the filter file LIST says of itself: kind, capacity, error rate, bits, "
         "load, the current error rate computed from the bits, the estimated number of items.",
         STATUS_0_2},
    [CMD_VERIFY] = {"verify", NULL, "LIST...", 1, SIZE_MAX, "the filter file LIST is missing",
                    "check every byte of filter files",
                    "Checks every checksum, range and count of the filter files.", STATUS_0_2},
    [CMD_PLAN] =
        {"plan", NULL, "-n N -p P", 0, 0, NULL, "tell sizes and rates before anything is built",
         "Tells what each kind of filter would take, from two of capacity, error rate and memory. Nothing "
         "is built.",
         STATUS_0_2},
    [CMD_REMOVE] =
        {"remove", NULL, "LIST [FILE]...", 1, SIZE_MAX, "the filter file LIST is missing",
         "remove lines from a counting filter file",
         "Removes the lines of the FILEs (or of standard input) from the counting filter file LIST, one "
         "earlier add a line. Lines that are not in it are counted and reported. Remove only what was "
         "added: anything else can make the filter forget other lines.",
         STATUS_0_2},
    [CMD_EXPLAIN] =
        {"explain", NULL, "LIST ITEM...", 2, SIZE_MAX, "a filter file and at least one item are needed",
         "draw the bits of an item",
         "Draws the bits that each ITEM uses in the filter file LIST: hash, region, lines and lanes; 1 is "
         "a bit that is set, 0 one that is not, a point one that the item does not use.",
         STATUS_0_2},
    [CMD_BENCH] =
        {"bench", NULL, "", 0, 0, NULL, "measure the engine beside what memory can do",
         "Measures the engine on this machine, in nanoseconds an item. Every figure stands beside its limit in "
         "the same run: hashing alone, and a loop that only touches as many cache lines. Contenders take "
         "turns in short chunks; ratios are medians with quartiles, and targets are ok, MISSED or unproven.",
         STATUS_BENCH},
};

#define FIELD(name) offsetof(options, name)
#define FLAG(id) FIELD(flag[id]), false

const option_row option_table[] = {
    {OPT_OUTPUT, C(BUILD) | C(MERGE), GROUP_OWN, 'o', "output", VALUE_TEXT, "FILE", NULL, 0, 0, FIELD(output),
     true, "the filter file to write; - is stdout",
     "The filter file to write, which is replaced as a whole; - writes it to standard output."},
    {OPT_OUTPUT, C(DEDUP) | C(CHECK) | SELECTS, GROUP_OWN, 'o', "output", VALUE_TEXT, "FILE", NULL, 0, 0,
     FIELD(output), true, "write to FILE, which may be one of the inputs",
     "Write to FILE instead of standard output. FILE is replaced as a whole when all is done and may be "
     "one of the inputs; on an error it stays as it was."},
    {OPT_CAPACITY, C(DEDUP) | C(BUILD), GROUP_OWN, 'n', "capacity", VALUE_COUNT, "N", NULL, 0,
     TAMIS_MAX_CAPACITY, FIELD(capacity), false, "distinct lines to expect, as 10M (else: estimated)",
     "Number of distinct lines to make room for. Without it the number is estimated from the size of "
     "the files and the mean length of sampled lines, without a counting pass, and the filter grows when "
     "that was too small. "
     "It may be written as 10000000, 10M (K, M, G and T are decimal here) or 1e7."},
    {OPT_CAPACITY, C(PLAN), GROUP_OWN, 'n', "capacity", VALUE_COUNT, "N", NULL, 0, TAMIS_MAX_CAPACITY,
     FIELD(capacity), false, "distinct lines to make room for, as 10M or 1e7",
     "Number of distinct lines to make room for. "
     "It may be written as 10000000, 10M (K, M, G and T are decimal here) or 1e7."},
    {OPT_RATE, C(DEDUP), GROUP_OWN, 'p', "error-rate", VALUE_RATE, "P", NULL, 0, 0, FIELD(error_rate), false,
     "error rate, 0 < P < 1 (1e-9)",
     "Error rate, between 0 and 1: the share of lines never seen that are taken for seen. The default is "
     "1e-9."},
    {OPT_RATE, C(BUILD), GROUP_OWN, 'p', "error-rate", VALUE_RATE, "P", NULL, 0, 0, FIELD(error_rate), false,
     "error rate, 0 < P < 1 (0.001)",
     "Error rate, between 0 and 1: the share of lines never added that are found all the same once N "
     "lines are in. The default is 0.001."},
    {OPT_RATE, C(PLAN), GROUP_OWN, 'p', "error-rate", VALUE_RATE, "P", NULL, 0, 0, FIELD(error_rate), false,
     "error rate, 0 < P < 1",
     "Error rate, between 0 and 1: the share of lines never added that are found all the same once N "
     "lines are in."},
    {OPT_MEMORY, C(DEDUP), GROUP_OWN, 'S', "memory", VALUE_SIZE, "SIZE", NULL, 0, 0, FIELD(memory), false,
     "limit of the filter's growth in bytes (K, M, G)",
     "Let the filter grow to SIZE bytes at most. When that is reached dedup stops with status 2, after "
     "writing all lines before and saving its state."},
    {OPT_MEMORY, C(BUILD), GROUP_OWN, 'S', "memory", VALUE_SIZE, "SIZE", NULL, 0, 0, FIELD(memory), false,
     "bytes to use (K, M, G), instead of -n or -p",
     "Memory of the filter in bytes (K, M and G are powers of 1024, 1.5G and 64MiB are good too). With -n "
     "it gives the error rate, with -p the capacity."},
    {OPT_MEMORY, C(PLAN), GROUP_OWN, 'S', "memory", VALUE_SIZE, "SIZE", NULL, 0, 0, FIELD(memory), false,
     "bytes to use (K, M, G); two of -n, -p and -S",
     "Memory of the filter in bytes (K, M and G are powers of 1024, 1.5G and 64MiB are good too). Two of "
     "-n, -p and -S are given, the third follows."},
    {OPT_MEMORY, SELECTS, GROUP_OWN, 'S', "memory", VALUE_SIZE, "SIZE", NULL, 0, 0, FIELD(memory), false,
     "memory limit in bytes (K, M, G), at least 16M",
     "Stay within SIZE bytes (K, M and G are powers of 1024), at least 16M, by spilling to temporary "
     "files. The default is half of the memory that is available."},
    {OPT_TEMP_DIR, SELECTS, GROUP_OWN, 'T', "temporary-directory", VALUE_TEXT, "DIR", NULL, 0, 0,
     FIELD(temp_dir), true, "where temporary files go",
     "Put temporary files into DIR; the default is $TMPDIR, or /var/tmp."},
    {OPT_ON_FULL, C(DEDUP), GROUP_OWN, '\0', "on-full", VALUE_CHOICE, "WHAT", "grow,stop,warn", 0, 0,
     FIELD(on_full), false, "beyond the capacity: grow, stop or warn (grow)",
     "What to do beyond the capacity. grow (the default): add a layer; the error rate holds. stop: end with "
     "status 2, after writing all lines before. warn: go on, warn and end with status 3."},
    {OPT_ON_FULL, C(BUILD), GROUP_OWN, '\0', "on-full", VALUE_CHOICE, "WHAT", "grow,stop,warn", 0, 0,
     FIELD(on_full), false, "beyond the capacity: grow, stop or warn",
     "What to do beyond the capacity. grow: add a layer; the error rate holds. stop: end with status 2 and "
     "write no file. warn: go on, warn and end with status 3. The default is warn with -n or -S, and grow "
     "without."},
    {OPT_ON_FULL, C(ADD), GROUP_OWN, '\0', "on-full", VALUE_CHOICE, "WHAT", "grow,stop,warn", 0, 0,
     FIELD(on_full), false, "beyond the capacity: stop or warn (warn)",
     "What to do beyond the capacity of a filter of fixed size. stop: end with status 2 and leave the file "
     "as it was. warn (the default): go on, warn and end with status 3. A scalable filter always grows."},
    {OPT_EXACT, C(DEDUP), GROUP_OWN, '\0', "exact", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_EXACT),
     "keep 128-bit fingerprints instead of a filter",
     "Keep 128-bit fingerprints instead of a filter: more memory, and wrong with less than 1e-20. Not "
     "with --state."},
    {OPT_STATE, C(DEDUP), GROUP_OWN, '\0', "state", VALUE_TEXT, "FILE", NULL, 0, 0, FIELD(state), true,
     "remember in FILE what was seen, from run to run",
     "Remember in the filter file FILE what was seen, from run to run; it is made when missing and "
     "locked meanwhile. It is saved after the output of all its lines was written, at the end and at "
     "intervals: a crash may repeat a line, but never loses one. When the output fails it is not saved. "
     "Lines inside a pipe whose reader dies are outside this promise."},
    {OPT_CHECKPOINT, C(DEDUP), GROUP_OWN, '\0', "checkpoint", VALUE_COUNT, "SECONDS", NULL, 0, 31536000,
     FIELD(checkpoint), false, "save the state this often (60; 0: at the end)",
     "Save the state every SECONDS, but never for more than 5 % of the time; 0: only at the end. The "
     "default is 60."},
    {OPT_KIND, C(BUILD), GROUP_OWN, '\0', "kind", VALUE_CHOICE, "KIND", "bloom,counting,scalable", 0, 0,
     FIELD(kind), false, "bloom, counting (can remove) or scalable",
     "Kind of filter. bloom has a fixed size and can be merged; counting can remove lines again and "
     "takes five times the size; scalable grows. The default is bloom with -n or -S and scalable without. "
     "Only the library makes rotating filters."},
    {OPT_COMPACT, C(BUILD) | C(PLAN), GROUP_OWN, '\0', "compact", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_COMPACT), "a smaller and slower filter",
     "Stay within 5 % of the classic size instead of 10 %, at some speed."},
    {OPT_SEED, C(BUILD), GROUP_OWN, '\0', "seed", VALUE_SEED, "N", NULL, 0, 0, FIELD(seed), false,
     "seed of the hash, decimal or 0x... (0)",
     "Seed of the hash, in decimal or as 0x and hexadecimal digits. Filters to be merged need the same. "
     "The default is 0."},
    {OPT_SECRET_SEED, C(BUILD), GROUP_OWN, '\0', "secret-seed", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_SECRET_SEED), "a random seed, kept secret (file mode 0600)",
     "Take a random seed and keep it secret: the file gets mode 0600 and info shows the seed only when "
     "asked. This stops attacks computed beforehand, not an attacker who watches the answers."},
    {OPT_LIST, C(CHECK), GROUP_OWN, 'l', "list", VALUE_LABEL, "NAME=LIST", NULL, 0, 0, FIELD(labels), true,
     "ask LIST, print NAME:line (may be repeated)",
     "Ask the filter file LIST and print NAME: before each line that is in it. May be repeated; then "
     "every operand is a file of lines. All lists must have the same normalisation."},
    {OPT_INVERT, C(CHECK), GROUP_OWN, 'v', "invert-match", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_INVERT),
     "select the lines that are not in the filter", NULL},
    {OPT_COUNT_ONLY, C(CHECK), GROUP_OWN, 'c', "count", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_COUNT_ONLY),
     "print only how many lines were selected", NULL},
    {OPT_QUIET_MATCH, C(CHECK), GROUP_OWN, 'q', "quiet", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_QUIET_MATCH),
     "print nothing, end at the first selected line",
     "Print nothing and end with status 0 at the first selected line."},
    {OPT_MAX_COUNT, C(CHECK), GROUP_OWN, 'm', "max-count", VALUE_COUNT, "N", NULL, 1, UINT64_MAX,
     FIELD(max_count), false, "stop after N selected lines", NULL},
    {OPT_LINE_NUMBER, C(CHECK), GROUP_OWN, '\0', "line-number", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_LINE_NUMBER), "print the number of each line in its file",
     "Print before each line its number within its file."},
    {OPT_LINE_BUFFERED, C(CHECK), GROUP_OWN, '\0', "line-buffered", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_LINE_BUFFERED), "write out what is selected at once", NULL},
    {OPT_MMAP, C(CHECK), GROUP_OWN, '\0', "mmap", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_MMAP),
     "map the filter, check only its header",
     "Map the filter file instead of reading it: opens at once, checks only the header, and gives no "
     "warning about an over-full filter. Writers of this project replace a file and never shorten it; if "
     "something else shortens it meanwhile, the run dies of SIGBUS."},
    {OPT_ITEMS, C(BENCH), GROUP_OWN, '\0', "items", VALUE_TEXT, "LIST", NULL, 0, 0, FIELD(items), false,
     "sizes of filters, as in 100k,10M (decimal)",
     "Numbers of items in the filters, separated by commas, k, M and G being thousands, millions and "
     "billions. The default is 100k,1M,10M,200M. sizes and pages are measured at each, the other parts at the "
     "largest up to 10M. A size that does not fit into memory is skipped."},
    {OPT_PART, C(BENCH), GROUP_OWN, '\0', "part", VALUE_CHOICE, "NAME",
     "sizes,pages,rates,strings,threads,kinds", 0, 0, FIELD(part), false,
     "only sizes, pages, rates, strings, threads or kinds",
     "Measure only one part. sizes: ready hashes and 8-byte items at every size; pages: with and without "
     "huge pages; rates: smaller error rates; strings: items of 40 bytes; threads: one and two; kinds: "
     "counting, scalable and rotating filters."},
    {OPT_QUICK, C(BENCH), GROUP_OWN, '\0', "quick", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_QUICK),
     "up to 1M items and few chunks: seconds, not minutes",
     "Sizes up to 1M items and few chunks: shows that it works within seconds, and proves little."},
    {OPT_SVG, C(BENCH), GROUP_OWN, '\0', "svg", VALUE_TEXT, "FILE", NULL, 0, 0, FIELD(svg), true,
     "also draw time against size, into FILE",
     "Also draw the part sizes, time an item against size, as SVG into FILE."},
    {OPT_RESULTS, C(BENCH), GROUP_OWN, '\0', "results", VALUE_TEXT, "FILE", NULL, 0, 0, FIELD(results), true,
     "also write the figures into FILE, as JSON", "Also write the figures into FILE, as --json does."},
    {OPT_STRICT, C(BENCH), GROUP_OWN, '\0', "strict", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_STRICT),
     "end with status 1 when a target is missed", NULL},
    {OPT_INFO_JSON, C(INFO) | C(PLAN) | C(BENCH), GROUP_OWN, '\0', "json", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_INFO_JSON), "write JSON", NULL},
    {OPT_SHOW_SEED, C(INFO), GROUP_OWN, '\0', "show-seed", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_SHOW_SEED),
     "show the seed also when it is secret", NULL},
    {OPT_RESEAL, C(VERIFY), GROUP_OWN, '\0', "reseal", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_RESEAL),
     "rewrite a file that was not closed cleanly",
     "Rewrite a file that was mapped for writing and not closed cleanly, with fresh counts and checksums."},
    {OPT_WAIT, C(DEDUP) | C(BUILD) | C(ADD) | C(REMOVE) | C(MERGE), GROUP_OWN, '\0', "wait", VALUE_NONE, NULL,
     NULL, 0, 0, FLAG(OPT_WAIT), "wait while another writer has the filter file",
     "Wait while another writer holds the filter file, instead of failing at once."},

    {OPT_ZERO, READERS, GROUP_RECORDS, 'z', "zero-terminated", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_ZERO),
     "lines end with NUL instead of newline", NULL},
    {OPT_CRLF, READERS, GROUP_RECORDS, '\0', "crlf", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_CRLF),
     "a CR before the newline belongs to the line end",
     "A CR before the newline belongs to the line end and not to the key. It is printed as it was."},
    {OPT_SEPARATOR, READERS, GROUP_RECORDS, 't', "field-separator", VALUE_BYTE, "SEP", NULL, 0, 0,
     FIELD(separator), false, "fields are separated by the byte SEP (with -k)", NULL},
    {OPT_KEY, READERS, GROUP_RECORDS, 'k', "key", VALUE_TEXT, "LIST", NULL, 0, 0, FIELD(key), false,
     "the key is these fields, as 2 or 1,3 or 2-4 or 3-",
     "The key is these fields, counted from 1: numbers and ranges separated by commas, as in 2 or 1,3 or "
     "2-4. -2 is 1-2; 3-, which has to come last, means the third field and all behind it that a record "
     "has. A record without one of the fields (of 3-: without the third) has no key. The whole record is "
     "printed."},
    {OPT_CSV, READERS, GROUP_RECORDS, '\0', "csv", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_CSV),
     "records are CSV with quotes (RFC 4180)",
     "Records are CSV as in RFC 4180: a quoted field may hold separators, newlines and doubled quotes. "
     "The key is the unquoted value of the fields of -k, or without -k the whole record. -t sets another "
     "separator. RFC 4180 ends lines with CRLF: give --crlf for such files."},
    {OPT_TSV, READERS, GROUP_RECORDS, '\0', "tsv", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_TSV),
     "fields are separated by tabs, the key is -k", NULL},
    {OPT_HEADER, READERS, GROUP_RECORDS, '\0', "header", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_HEADER),
     "the first record of each file is a header",
     "The first record of each file is a header: it is printed, but is no key. In a later file a header "
     "equal to the first one is not printed again; one that differs is."},
    {OPT_JSON, READERS, GROUP_RECORDS, '\0', "json", VALUE_TEXT, "PTR", NULL, 0, 0, FIELD(json), false,
     "each line is JSON, the key is at /this/pointer",
     "Each line is a JSON text and the key stands at the pointer PTR (RFC 6901), as in /user/id. A "
     "string counts as its decoded value, a number or literal as it is written (1.0 is not 1), so that 1 "
     "and \"1\" are the same key; an object or array is no key."},
    {OPT_BAD_RECORDS, READERS, GROUP_RECORDS, '\0', "bad-records", VALUE_CHOICE, "WHAT", "stop,keep", 0, 0,
     FIELD(bad_records), false, "a record without a key: stop, or keep it",
     "What to do with a record that has no key: stop with status 2, naming file and line (the default), "
     "or keep it, which passes it through."},
    {OPT_FILES0, LISTS_OF_FILES, GROUP_RECORDS, '\0', "files0-from", VALUE_TEXT, "F", NULL, 0, 0,
     FIELD(files0), true, "read the files' names from F, each ended by NUL", NULL},

    {OPT_IGNORE_CASE, READERS, GROUP_KEYS, 'i', "ignore-case", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_IGNORE_CASE), "upper and lower case ASCII letters are the same", NULL},
    {OPT_TRIM, READERS, GROUP_KEYS, '\0', "trim", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_TRIM),
     "white space around the key does not count",
     "Spaces, tabs, CR, LF, vertical tabs and form feeds at both ends of the key do not count."},
    {OPT_HEX, READERS, GROUP_KEYS, '\0', "hex", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_HEX),
     "the key is hexadecimal digits",
     "The key is hexadecimal digits, two a byte, and stands for their bytes."},
    {OPT_URL, READERS, GROUP_KEYS, '\0', "url", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_URL),
     "the key is a URL, brought into canonical form",
     "The key is a URL, brought into canonical form (RFC 3986, 6.2.2): scheme and host in lower case, "
     "percent encoding of unreserved characters undone and the rest in capitals, dot segments resolved, "
     "the scheme's default port dropped, an empty path made /, the fragment dropped, the query left "
     "alone. What is not an absolute URL stays as it is and is counted; so does a URL with bytes that are "
     "not ASCII, which have to be percent-encoded."},

    {OPT_PARALLEL, READERS & ~C(REMOVE), GROUP_REPORT, '\0', "parallel", VALUE_COUNT, "N", NULL, 1, 256,
     FIELD(parallel), false, "threads at most; the result does not depend on it", NULL},
    {OPT_STATS, READERS, GROUP_REPORT, '\0', "stats", VALUE_OPTIONAL, "json", "json", 0, 0, FIELD(stats),
     false, "report on stderr, as text or JSON",
     "Report on standard error when done, as text or as one line of JSON."},
    {OPT_PROGRESS, READERS, GROUP_REPORT, '\0', "progress", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_PROGRESS),
     "a progress bar, when stderr is a terminal",
     "Show a progress bar with rate and time left, when standard error is a terminal and the work takes "
     "longer than a second."},
    {OPT_QUIET, (READERS & ~C(CHECK)) | C(MERGE), GROUP_REPORT, 'q', "quiet", VALUE_NONE, NULL, NULL, 0, 0,
     FLAG(OPT_QUIET), "no warnings", NULL},
    {OPT_HELP, EVERY, GROUP_REPORT, 'h', "help", VALUE_NONE, NULL, NULL, 0, 0, FLAG(OPT_HELP),
     "show this help", NULL},
};
const size_t option_table_len = sizeof option_table / sizeof option_table[0];

const option_conflict option_conflicts[] = {
    {C(DEDUP), OPT_EXACT, OPT_STATE, "a state is a filter; leave --exact away"},
    {C(DEDUP), OPT_EXACT, OPT_RATE, "fingerprints have no error rate to set; leave -p away"},
    {C(DEDUP), OPT_EXACT, OPT_CAPACITY, "fingerprints need no capacity; leave -n away"},
    {C(DEDUP), OPT_EXACT, OPT_ON_FULL, "fingerprints are never full; -S limits their memory"},
    {C(DEDUP), OPT_STATE, OPT_OUTPUT, "an unfinished output would lose lines; use > FILE or >> FILE"},
    {C(BUILD), OPT_SEED, OPT_SECRET_SEED, "give one of the two"},
    {C(CHECK), OPT_COUNT_ONLY, OPT_LINE_NUMBER, "a count has no line number; give one of the two"},
    {READERS, OPT_CSV, OPT_TSV, "give one of the two"},
    {READERS, OPT_CSV, OPT_JSON, "give one of the two"},
    {READERS, OPT_TSV, OPT_JSON, "give one of the two"},
    {READERS, OPT_TSV, OPT_SEPARATOR, "--tsv means a tab; leave one of the two away"},
    {READERS, OPT_JSON, OPT_SEPARATOR, "the key of --json is its pointer; leave -t away"},
    {READERS, OPT_JSON, OPT_KEY, "the key of --json is its pointer; leave -k away"},
    {READERS, OPT_HEX, OPT_URL, "a key is one or the other; give one of the two"},
};
const size_t option_conflicts_len = sizeof option_conflicts / sizeof option_conflicts[0];

const option_need option_needs[] = {
    {C(DEDUP), OPT_WAIT, OPT_STATE, "only a state can be waited for"},
    {C(DEDUP), OPT_CHECKPOINT, OPT_STATE, "only a state is saved at intervals"},
    {READERS, OPT_TSV, OPT_KEY, "say which fields are the key, as in --tsv -k 2"},
};
const size_t option_needs_len = sizeof option_needs / sizeof option_needs[0];
