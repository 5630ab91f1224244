/** What no test notices, and why that is well so. `reads`: the lines with the change, as the run prints them. */
export const SURVIVORS: readonly {
  /** In each file, where there is none. */
  readonly file?: string;
  readonly reads: readonly (string | RegExp)[];
  readonly why: string;
}[] = [
  {
    reads: [/new (?:Range|Type)?Error\(""\)/u, /new AppError\('internal', ""/u],
    why: 'words for the log, of what does not happen',
  },
  {
    file: 'src/domain/call-reports.ts',
    reads: [/\?\? "Stryker was here!"/u, 'if (true) left.n--;'],
    why: 'the types do not know that there are as many ids and recipients as marks, and that each mark has its word',
  },
  {
    file: 'src/domain/call-reports.ts',
    reads: [
      'if (true) byName.set(id, (named = Map.groupBy(all, (each) => each.recipient)));',
      'if (false) return named.get(recipient) ?? [];',
    ],
    why: 'the same, only slower',
  },
  {
    file: 'src/domain/calendar.ts',
    reads: [
      /day <? guess \+ 3; day \+= 1/u,
      /const noon = new Date\(day \* DAY_MS (?:- DAY_MS \/ 2|\+ DAY_MS \* 2)\)/u,
      /\+ 79 \+ beforeMonth \+ day \+ 1;/u,
      /month < 7 \?/u,
    ],
    why: 'a guess that is a day off finds the same day: three more on either side are looked at',
  },
  {
    file: 'src/domain/calendar.ts',
    reads: [/^;$/u, /\?\.value \?\? "Stryker was here!"/u, /=== wanted\)\.value/u],
    why: 'kept formatters are only faster, and each has all of its fields',
  },
  {
    file: 'src/domain/calendar.ts',
    reads: [
      /left\.(?:year|month) === right\.(?:year|month) .*left\.day === right\.day;/u,
      /^return true && left\.month/u,
    ],
    why: 'of days so near to each other none has the day of the month of another',
  },
  {
    file: 'src/domain/kinds/index.ts',
    reads: ["return true && outgoing.way === 'call' ? outgoing : null;"],
    why: 'nothing but a phonebook has a way',
  },
  {
    file: 'src/domain/kinds/kind.ts',
    reads: [
      "if (typeof value !== 'object' || false) return value;",
      '.toSorted(([left], [right]) => (left <= right ? -1 : 1))',
    ],
    why: 'no kind has nothing in it, and none has a name twice',
  },
  {
    file: 'src/domain/kinds/multi.ts',
    reads: ['const units = false ? 0 : addressUnits(row);'],
    why: 'only slower: what does not travel in an address fits into it in any case',
  },
  {
    file: 'src/domain/limits.ts',
    reads: [
      'return true && sendAt > holdUntil ? sendAt : holdUntil;',
      'return sendAt !== null && sendAt >= holdUntil ? sendAt : holdUntil;',
    ],
    why: 'nothing is later than no instant after 1970; of two equal ones it is the same which is taken',
  },
  {
    file: 'src/domain/merge.ts',
    reads: ['const TOKEN = /\\{\\{|\\}\\}|\\{[^{}]*\\}|[^{}]|[{}]/gu;'],
    why: 'the same text in more pieces, which are put together again',
  },
  {
    file: 'src/domain/recurrence.ts',
    reads: ['if (true && at > after) return at;'],
    why: 'nothing is later than an instant after 1970 either',
  },
  {
    file: 'src/storage/call-writes.ts',
    reads: [
      'select a.id, a.epoch from attempt a join given g using (id, epoch) where true for update of a skip locked',
      'where true for update of a skip locked',
      'where a.id = h.id and true and a.epoch = h.epoch',
      'where a.id = h.id and ${may} and true',
    ],
    why: 'state and epoch are looked at when the row is held and once more when it is written: each stands behind the other',
  },
];
