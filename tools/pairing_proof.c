/* Tries every evening of six rounds at five tables of four and three (17 to 20 people) whose repeats stay within a bound.
 *
 * usage: pairing_proof SIZES THIRD FOURTH FIFTH SIXTH      as in: pairing_proof 44333 0 0 0 0
 *
 * The numbers are the repeats there may be after each of the last four rounds; the first two have none. Says "none", or prints the
 * first evening found. Why these bounds lose no evening is said in docs/decisions.md; tests/hall/test_plans.py compiles and runs it.
 *
 * Two rounds without a repeat are a grid: a person is a cell, a table of the first round a row, of the second a column. So the
 * matrices of zeros and ones with these row and column sums are all first pairs of rounds, one of each kind is taken (rows and columns
 * in another order, or the rounds exchanged, are the same kind), and of the third rounds one of those that the grid's own symmetries
 * turn into each other. Everything after that is tried, but what has two rounds of a kind that was tried before.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 5, MOST = 20, ROUNDS = 6, FIRST_FREE = 3, CELLS = TABLES * TABLES };

typedef uint32_t People; /* a bit a person */
typedef struct { uint64_t words[3]; } Pairs; /* a bit a pair */

static int size[TABLES], people, fours, threes, bound[ROUNDS + 1];
static int row[MOST], column[MOST];
static int pair_number[MOST][MOST];
static People strangers[ROUNDS + 2][MOST]; /* whom somebody has not met before this round */
static People tables[ROUNDS + 1][TABLES];
static int orders[120][TABLES], order_count;
static int symmetry[2 * 120 * 120][MOST], symmetry_count;
static long tried[ROUNDS + 1];
static uint8_t *kind_of, kinds; /* of a grid: the number of its kind, once that has been met */

static int first(People some) { return __builtin_ctz(some); }
static int count(People some) { return __builtin_popcount(some); }

static void play(int round, int repeats);

/* The pairs of a round after everybody has changed names. */
static Pairs renamed(const People *round, const int *names) {
    Pairs found = {{0, 0, 0}};
    for (int table = 0; table < TABLES; table++)
        for (People some = round[table]; some; some &= some - 1)
            for (People rest = some & (some - 1); rest; rest &= rest - 1) {
                int number = pair_number[names[first(some)]][names[first(rest)]];
                found.words[number / 64] |= (uint64_t)1 << number % 64;
            }
    return found;
}

/* Whether none of the grid's symmetries makes a smaller round of it: of those alike one is enough. */
static int stands_for_its_kind(const People *round) {
    int same[MOST];
    for (int who = 0; who < MOST; who++) same[who] = who;
    Pairs mine = renamed(round, same);
    for (int number = 0; number < symmetry_count; number++) {
        Pairs other = renamed(round, symmetry[number]);
        for (int word = 0; word < 3; word++) {
            if (other.words[word] < mine.words[word]) return 0;
            if (other.words[word] > mine.words[word]) break;
        }
    }
    return 1;
}

/* Two rounds without a repeat as a grid, the fours of both first. */
static uint32_t grid_of(const People *one, const People *other) {
    uint32_t grid = 0;
    for (int a = 0, r[2] = {0, fours}; a < TABLES; a++) {
        int line = r[count(one[a]) == 3]++;
        for (int b = 0, c[2] = {0, fours}; b < TABLES; b++) {
            int place = c[count(other[b]) == 3]++;
            if (one[a] & other[b]) grid |= (uint32_t)1 << (TABLES * line + place);
        }
    }
    return grid;
}

/* Rounds without any repeat may all change places, so an evening with two of an earlier kind has been tried as that kind. */
static int tried_before(int round) {
    for (int other = 1; other < round; other++) {
        int kind = kind_of[grid_of(tables[other], tables[round])];
        if (kind && kind < kinds) return 1;
    }
    return 0;
}

static int first_mate(const People *round) {
    for (int table = 0; table < TABLES; table++)
        if (round[table] & 1) return first(round[table] & ~(People)1);
    return -1;
}

static void whole_round(int round, int repeats) {
    /* rounds after the third that all have no repeat may change places: one order of them is enough */
    if (round > FIRST_FREE + 1 && bound[round] == 0 && first_mate(tables[round]) < first_mate(tables[round - 1])) return;
    if (bound[round] == 0 && tried_before(round)) return;
    if (round == FIRST_FREE && !stands_for_its_kind(tables[round])) return;
    tried[round]++;
    if (round == ROUNDS) {
        printf("an evening with %d:", repeats);
        for (int each = 1; each <= ROUNDS; each++)
            for (int table = 0; table < TABLES; table++) {
                putchar(table ? ' ' : '\n');
                for (People some = tables[each][table]; some; some &= some - 1) putchar('a' + first(some));
            }
        putchar('\n');
        exit(1);
    }
    memcpy(strangers[round + 1], strangers[round], sizeof strangers[round]);
    for (int table = 0; table < TABLES; table++)
        for (People some = tables[round][table]; some; some &= some - 1)
            strangers[round + 1][first(some)] &= ~tables[round][table];
    play(round + 1, repeats);
}

static void fill(int round, int table, People left, int fours_left, int threes_left, int repeats);

/* Every way to fill up a table begun with `seated`, from those who may still come to it. */
static void seat(int round, int table, People left, int fours_left, int threes_left, int repeats, People seated, int wanted,
                 People may) {
    if (count(seated) == wanted) {
        tables[round][table] = seated;
        fill(round, table + 1, left & ~seated, fours_left - (wanted == 4), threes_left - (wanted == 3), repeats);
        return;
    }
    while (may) {
        int who = first(may);
        may &= may - 1;
        int now = repeats + count(seated & ~strangers[round][who]);
        if (now > bound[round]) continue;
        People then = now == bound[round] ? may & strangers[round][who] : may;
        seat(round, table, left, fours_left, threes_left, now, seated | (People)1 << who, wanted, then);
    }
}

/* Every way to seat those who are left, the first of them at the next table. */
static void fill(int round, int table, People left, int fours_left, int threes_left, int repeats) {
    if (!left) {
        whole_round(round, repeats);
        return;
    }
    int missing = 0, least = threes_left ? 2 : 3; /* who has fewer strangers left than a table's mates meets somebody again */
    for (People some = left; some; some &= some - 1) {
        int here = count(strangers[round][first(some)] & left);
        missing += here < least ? least - here : 0;
    }
    if (missing > 2 * (bound[round] - repeats)) return;
    People begun = left & -left, may = left & ~begun;
    if (repeats == bound[round]) may &= strangers[round][first(left)];
    if (fours_left) seat(round, table, left, fours_left, threes_left, repeats, begun, 4, may);
    if (threes_left) seat(round, table, left, fours_left, threes_left, repeats, begun, 3, may);
}

static void play(int round, int repeats) { fill(round, 0, ((People)1 << people) - 1, fours, threes, repeats); }

/* Orders of the tables in which each keeps its size. */
static void find_orders(int *order, int begun) {
    if (begun == TABLES) {
        memcpy(orders[order_count++], order, sizeof orders[0]);
        return;
    }
    for (int table = 0; table < TABLES; table++) {
        int free = size[table] == size[begun];
        for (int other = 0; other < begun; other++) free &= order[other] != table;
        order[begun] = table;
        if (free) find_orders(order, begun + 1);
    }
}

static int right_sums(uint32_t grid) {
    for (int table = 0; table < TABLES; table++)
        if (count(grid >> TABLES * table & 31) != size[table] || count(grid & (uint32_t)0x108421 << table) != size[table])
            return 0;
    return 1;
}

/* Seat the first two rounds by this grid; marks all of its kind, and finds the symmetries that leave it as it is. */
static void lay(uint32_t grid) {
    int at[CELLS], who = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (grid >> cell & 1) {
            at[cell] = who;
            row[who] = cell / TABLES;
            column[who++] = cell % TABLES;
        }
    symmetry_count = 0;
    for (int a = 0; a < order_count; a++)
        for (int b = 0; b < order_count; b++)
            for (int exchanged = 0; exchanged < 2; exchanged++) {
                uint32_t other = 0;
                int cell[MOST];
                for (who = 0; who < people; who++) {
                    int r = orders[a][row[who]], c = orders[b][column[who]];
                    cell[who] = exchanged ? TABLES * c + r : TABLES * r + c;
                    other |= (uint32_t)1 << cell[who];
                }
                kind_of[other] = kinds;
                if (other != grid) continue;
                for (who = 0; who < people; who++) symmetry[symmetry_count][who] = at[cell[who]];
                symmetry_count++;
            }
    memset(tables, 0, sizeof tables);
    memset(strangers, 0, sizeof strangers);
    for (who = 0; who < people; who++) {
        tables[1][row[who]] |= (People)1 << who;
        tables[2][column[who]] |= (People)1 << who;
        for (int other = 0; other < people; other++)
            if (row[who] != row[other] && column[who] != column[other]) strangers[FIRST_FREE][who] |= (People)1 << other;
    }
}

int main(int argc, char **argv) {
    if (argc != 6 || strlen(argv[1]) != TABLES || strspn(argv[1], "34") != TABLES) {
        fprintf(stderr, "usage: pairing_proof SIZES THIRD FOURTH FIFTH SIXTH\n");
        return 2;
    }
    for (int table = 0; table < TABLES; table++) {
        size[table] = argv[1][table] - '0';
        people += size[table];
        fours += size[table] == 4;
        threes += size[table] == 3;
    }
    for (int round = FIRST_FREE; round <= ROUNDS; round++) bound[round] = atoi(argv[round - 1]);
    for (int one = 0, number = 0; one < MOST; one++)
        for (int other = 0; other < one; other++, number++) pair_number[one][other] = pair_number[other][one] = number;
    int order[TABLES];
    find_orders(order, 0);
    kind_of = calloc((size_t)1 << CELLS, 1);
    if (!kind_of) return 2;
    for (uint32_t grid = 0; grid < (uint32_t)1 << CELLS; grid++)
        if (count(grid) == people && !kind_of[grid] && right_sums(grid)) {
            kinds++;
            lay(grid);
            play(FIRST_FREE, 0);
        }
    printf("none: %d kinds of first rounds, %ld of three, %ld of four, %ld of five\n", kinds, tried[3], tried[4], tried[5]);
    free(kind_of);
    return 0;
}
