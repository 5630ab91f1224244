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
    file: 'src/domain/address-scope.ts',
    reads: [
      "if (false || address.includes('%')) return 'nowhere';",
      /\? 'ipv4' : ""\)\);$/u,
      /net = "Stryker was here!"/u,
    ],
    why: 'no list holds what is no address, what is not said to be IPv4 is taken for IPv6, and each range has its net',
  },
  {
    file: 'src/domain/gateway-address.ts',
    reads: [/url\.hostname\.replace/u],
    why: 'a name that URL has read has brackets at its ends only',
  },
  {
    file: 'src/domain/credit-alarm.ts',
    reads: [/^return false \|\| firstCredit <= 0/u],
    why: 'none is not more than 0 either',
  },
  {
    file: 'src/domain/cell-number.ts',
    reads: [/\?\? \["Stryker was here"\];$/u],
    why: 'the first part is missing in either',
  },
  {
    file: 'src/domain/inbox-rules.ts',
    reads: [/\.toUpperCase\(\);$/u, /pattern\.programSize\(\) < PROGRAM_MAX/u],
    why: 'texts are only compared with others that were folded in the same way; the bound is no exact one',
  },
  {
    file: 'src/domain/inbound.ts',
    reads: [/prints\[index\] \?\? "Stryker was here!"/u, /\{ id = "" \}/u],
    why: 'there are as many prints as messages, and neither names a message',
  },
  {
    file: 'src/domain/inbound.ts',
    reads: [/\?\? \["Stryker was here"\]/u, /^return Math\.floor\(\(at/u],
    why: 'where there is no page nothing falls or rises, and no clock skips three hours',
  },
  {
    file: 'src/domain/keylike.ts',
    reads: [/start > each\.start && end <= each\.end/u],
    why: 'no candidate begins where an address does',
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
    file: 'src/domain/line-rules.ts',
    reads: [
      /^const said = (?:false|wanted\.length === 0 \? \["Stryker)/u,
      /^lacks: (?:true|phrase !== "Stryker was here!") &&/u,
      'if (isLacking && (isWhole || merged !== undefined) && true)',
    ],
    why: 'no words are in no text, and no phrase in each: only slower; what lacks a phrase has one',
  },
  {
    file: 'src/domain/columns.ts',
    reads: [/\?\? "Stryker was here!"/u, /= \(?false \? (?:-1|''|0) : /u],
    why: 'words that are neither a number nor a name of one are as good as none, and no row has a cell that has no place',
  },
  {
    file: 'src/domain/vcard.ts',
    reads: [
      'let property = "Stryker was here!";',
      /found\[1\](?:\.toUpper|.*Stryker)/u,
      /family = "Stryker was here!"/u,
    ],
    why: 'what has no colon is no property; the types do not know that an expression has its groups, and a text its first part',
  },
  {
    file: 'src/domain/operator-prices.ts',
    reads: [
      /^if \(false \|\| length\(best/u,
      /^if \(best === undefined \|\| length\(best\.rest\) (?:< NOTHING \*|<= NOTHING \/)/u,
      'return rows.reduce((total, row) => total - of(row), 0);',
      'const pivot = rows[column] ?? ["Stryker was here"];',
    ],
    why: 'there is a second where something is needed, and a row for each column; what is left by rounding is no exact bound; both sides of an equation have the other sign',
  },
  {
    file: 'src/domain/operator-prices.ts',
    reads: [
      /^return Math\.abs\(told - price\) < /u,
      /^return Math\.abs\(told - Number\(paid\.cost\)\) < /u,
      /Math\.max\(\.\.\.each\) >= /u,
    ],
    why: 'no bound is an exact one',
  },
  {
    file: 'src/domain/over-hint.ts',
    reads: [
      'if (true && measureMessage(text.slice(0, end)).parts < parts) {',
      /several \* \(parts \+ 1\)\);$/u,
      />= 0xffff \?/u,
    ],
    why: 'only slower; and U+FFFF is no character',
  },
  {
    file: 'src/domain/person-date.ts',
    reads: [
      /^const \[.*(?:first = |second = |\?\? \[)"Stryker was here!?".* = (?:numbers|words);$|\?\? \["Stryker was here"\];$/u,
      /^const words = .*\?\? \["Stryker was here"\]/u,
      /keyOf\(target, \{ yearly \}\) \?\? "Stryker/u,
      /(?:three|year) <= 1500/u,
    ],
    why: 'the types do not know that an expression has its groups and a day its key; what is missing is no month either; and the year 1500 is none of either calendar',
  },
  {
    file: 'src/domain/roles.ts',
    reads: [/Object\.keys\(LEAST_ROLE\);$/u, /^return false (?:\|\| rankOf|\? -1)/u],
    why: 'for the types: a table has its own keys, and what is no role has no place',
  },
  {
    file: 'src/domain/merge.ts',
    reads: ['const TOKEN = /\\{\\{|\\}\\}|\\{[^{}]*\\}|[^{}]|[{}]/gu;'],
    why: 'the same text in more pieces, which are put together again',
  },
  {
    file: 'src/domain/message.ts',
    reads: [
      "if (false) return { encoding: 'gsm7', characters, ...packEven(units, 160, 153) };",
      "if (false) return { encoding: 'ucs2', characters, ...packEven(characters, 70, 67) };",
      'units -= width;',
      'if (true && remembered !== 0) return remembered;',
    ],
    why: 'only slower: the long way counts the same',
  },
  {
    file: 'src/domain/next-opening.ts',
    reads: [
      'for (let turns = 0; true && turns <= windows.length * DAYS_AHEAD; turns += 1) {',
      'for (let days = 0; days < DAYS_AHEAD; days += 1) {',
      /^if \((?:true|at !== null) && at >=? from\) return at;/u,
      'for (let minute = from; minute <= 1440; minute += 1) {',
    ],
    why: 'no day is without an opening for so long, nothing is later than no instant, and it is asked only while closed',
  },
  {
    file: 'src/domain/number-spellings.ts',
    reads: ['export const FORGOTTEN = "";', 'if (false) return found;', /^;$/u],
    why: 'the mark is for the tests of what forgets; the rest is only slower',
  },
  {
    file: 'src/domain/operator.ts',
    reads: ['const prefix = recipient;'],
    why: 'only slower',
  },
  {
    file: 'src/domain/pace.ts',
    reads: ['for (let openings = 0; openings <= MOST_OPENINGS; openings += 1) {'],
    why: 'the bound is no exact one',
  },
  {
    file: 'src/domain/people.ts',
    reads: [
      /\?\? "Stryker was here!"\);$/u,
      /^const \[, before = .* = said;$/u,
      /\/\\S\+\$\/u\.exec\(words\)\[0\]/u,
    ],
    why: 'the types do not know what the expressions have made sure of',
  },
  {
    file: 'src/domain/phone.ts',
    reads: [
      /^if \((?:false|token === undefined \|\| false|false \|\| .*|token === undefined && mention === null)\) return(?: 0| false)?;/u,
      /token\.gap === 'newline' && !isLineOfNumbers/u,
      /<= tokens\.length|while \(true && tokens\[at\]|tokens\[at\]\.gap/u,
      /mentionAt\(tokens, at\)\.recipients/u,
      /\{ recipients: \["Stryker was here"\]/u,
    ],
    why: 'the types do not know that there is a token within the list, and behind it is none; the recipients are put in at the end',
  },
  {
    file: 'src/domain/phone.ts',
    reads: [
      /\.replace\(\/\[\\s,/u,
      /^if \((?:false|raw === "Stryker was here!")\) continue;/u,
      /\(\?:\\\+\|00\)980\|0/u,
    ],
    why: 'a text behind numbers begins with what stands between, no mention is without a sign, and 98 begins as 9 and two digits does',
  },
  {
    file: 'src/domain/phone-tokens.ts',
    reads: [/bareDigits\(piece\) \?\? "Stryker/u],
    why: 'neither is a number',
  },
  {
    file: 'src/domain/slips.ts',
    reads: ['let before: number[] = ["Stryker was here"];'],
    why: 'nothing is exchanged in the first row',
  },
  {
    file: 'src/domain/phone-tokens.ts',
    reads: [`let gap: Token['gap'] = "";`, 'if (false) return null;', /DASHES\}\]\\\\d\$`, ""\);$/u],
    why: 'nothing asks for the first gap by name, no mention begins behind the last token, and no dash has two units',
  },
  {
    file: 'src/domain/reply.ts',
    reads: ['if (readTemplate(text, ["Stryker was here"]).unknown.length > 0) return \'fields\';'],
    why: 'no text has a field of this name',
  },
  {
    file: 'src/domain/time-buckets.ts',
    reads: [/^return Date\.UTC\(day\.year/u],
    why: 'no clock skips more than an hour at midnight; what then holds is for the types',
  },
  {
    file: 'src/domain/token-buckets.ts',
    reads: [
      /known >=? now \+ capacity [-+] EXACT_MS\) remember\(key, now \+ capacity\);$/u,
      'return wait >= EXACT_MS ? wait : 0;',
    ],
    why: 'no wait is as short as what is not told apart',
  },
  {
    file: 'src/domain/working-time.ts',
    reads: [
      /minute >= end - DAYS_BACK/u,
      'for (let minute = 0; minute <= WEEK_DAYS * DAY_MINUTES; minute += 1) {',
    ],
    why: 'a month is no exact bound, and the minute behind a week is its first',
  },
  {
    file: 'src/domain/recurrence.ts',
    reads: ['if (true && at > after) return at;'],
    why: 'nothing is later than an instant after 1970 either',
  },
  {
    file: 'src/storage/sending/call-writes.ts',
    reads: [
      'select a.id, a.epoch from attempt a join given g using (id, epoch) where true for update of a skip locked',
      'where true for update of a skip locked',
      'where a.id = h.id and true and a.epoch = h.epoch',
      'where a.id = h.id and ${may} and true',
      /^where (?:true and a\.epoch = h\.epoch|a\.id = h\.id and true) and g\.id = a\.id and/u,
      'where a.id = h.id and a.epoch = h.epoch and g.id = a.id and true',
    ],
    why: 'state and epoch are looked at when the row is held and once more when it is written: each stands behind the other',
  },
  {
    file: 'src/storage/sending/call-writes.ts',
    reads: [
      'update attempt a set state = ${to}, owner = null',
      /from shown where true and job_state <> 'running'/u,
      /^case job_state when '-' then/u,
      /from waiting w where true\)$/u,
    ],
    why: 'what is given back has not been on the wire; a look at reports that finds none; and a card that is drawn a second sooner or later',
  },
  {
    file: 'src/storage/sending/take-calls.ts',
    reads: [
      'where a.state in ${listed(tx, UNPROVEN)} and true',
      'and true), hindered as (',
      'where a.id = g.id and true and g.id in (',
    ],
    why: 'what is planned, and held by now, is neither in doubt nor anything else; within a job only rows that people gave repeat',
  },
  {
    file: 'src/storage/sending/take-calls.ts',
    reads: [
      /^group by key having (?:true\)|count\(\*\) >= 1)/u,
      'where w.chunk > twice.first and true), taken as (',
      /^union all select id, 'earlier_in_flight'/u,
    ],
    why: 'what stands once stands behind nothing; and as long as the first of equals can be taken, nobody asks what keeps back the others',
  },
  {
    file: 'src/storage/sending/take-calls.ts',
    reads: [/epoch = \(a\.epoch \+ 0 \+ floor/u],
    why: 'the same one is drawn once in a million',
  },
  {
    file: 'src/storage/sending/reserve-in.ts',
    reads: [
      'where j.id = ${jobId}`;',
      'order by a.chunk limit ${limit}`;',
      /limit \$\{limit\} for update of a`;$/u,
    ],
    why: 'the fence asks once more whether the job runs, and takeCalls whether a call is planned; nobody holds a planned one for long',
  },
  {
    file: 'src/storage/sending/reserve-in.ts',
    reads: [
      /c\.chunk = a\.chunk and true$/u,
      /a\.chunk >= \$\{from\} and (?:true|a\.chunk <= \$\{to\}) and/u,
      'limit ${limit} for update of a skip locked`;',
      'order by a.chunk for update of a skip locked`;',
    ],
    why: 'only how much is read at a time, and texts that are not used; the index has the places in their order',
  },
  {
    file: 'src/storage/sending/call-store.ts',
    reads: [
      /(?:array_agg\(r\.(?:number|key)|- 1\)::int) \) filter/u,
      'select owner from attempt where state in ${listed(sql, IN_HAND)} and true',
      /^await tx`delete from process where gone_at <= now/u,
      /reserved_at <= now\(\)/u,
      "select id, epoch, state from attempt where true and (state = 'on_wire'",
      'await tx`select 1 from attempt where true for update`;',
    ],
    why: 'numbers come out of a list in its order; for the types; nothing is promised to the microsecond; whose it is is asked where it is written; and more is held than has to be',
  },
  {
    file: 'src/storage/sending/record-late.ts',
    reads: ['where a.id = ${given.id} and a.epoch = ${given.epoch}`;', "where true and state = 'confirmed'"],
    why: 'recordAlone holds the row; and a call is sent again in its own chat',
  },
  {
    file: 'src/storage/sending/job-control.ts',
    reads: [
      /where j\.draft_id = \$\{draftId\} and true`;$/u,
      /j\.hold_until < now\(\) as is_due,$/u,
      /when j\.hold_until >= now\(\) then/u,
      /j\.leaves_at >= now\(\) - interval '1 week'/u,
      /o\.created_at >= j\.confirmed_at\)/u,
      /d\.source_update >= 0/u,
    ],
    why: 'what settles asks once more whether there is anything to settle; nothing is promised to the microsecond; no update has the number 0',
  },
  {
    file: 'src/storage/sending/job-control.ts',
    reads: [/`select chat_id from job where true`;$/u],
    why: 'a lock against a start and an undo that wait for each other',
  },
  {
    file: 'src/storage/sending/job-resume.ts',
    reads: [
      /^where a\.job_id = \$\{jobId\} and true and \$\{heldUp\(tx\)\}`;$/u,
      /^where id = \$\{jobId\} and true`;$/u,
      /tries = 0 where job_id = \$\{jobId\} and true`;$/u,
      /j\.confirmed_at >= now\(\)/u,
    ],
    why: 'heldUp asks for the state as well, and the job is held in it; of what is not planned nobody asks the tries; nothing is promised to the microsecond',
  },
  {
    file: 'src/storage/sending/job-charge.ts',
    reads: [
      /^where j\.id = \$\{jobId\} and true for update of j`;$/u,
      /^where j\.id = \$\{jobId\} and \$\{mayCountLess\(tx\)\}`;$/u,
      /j\.ended_at is not null`;$/u,
    ],
    why: 'who settles has asked, and asks once more with the row held; the lock is for two that settle at the same moment',
  },
  {
    file: 'src/storage/sending/date-send-store.ts',
    reads: [
      /^where c\.id = o\.chat_id and (?:true and o\.done_on >|o\.state = 'on' and o\.done_on >=) to_char/u,
      /^where true and o\.state = 'on' and o\.done_on > to_char/u,
      /^where o\.state = 'on' and (?:true order by|o\.done_on <= .* order by|o\.done_on < \$\{upTo\(sql\)\} `)/u,
      /chat(?:_id from date_send)? where true`;$/u,
      /timestamptz >= \$\{LATE_SECONDS\}|select restored_at > \$\{due/u,
      'limit 1`;',
      /n\.state = 'proposed' and true$/u,
      /^from used where o\.id = \$\{id\} and true returning/u,
    ],
    why: 'what is proposed may end, and whether the other is in force was asked; whoever resumes one sets its day; two days are no exact bound, and zones lie no further apart; an order without a day to do is left, and which comes first makes no difference; a lock on more, or for two that leave at the same moment; nothing is promised to the microsecond',
  },
  {
    file: 'src/storage/sending/schedule-start.ts',
    reads: [
      /j\.hold_until <= now\(\) - \$\{LATE_SECONDS\}|j\.hold_until < now\(\) for update of j/u,
      /j\.hold_until <= now\(\)`;$/u,
      /^where id = \$\{(?:jobId|id)\} and true/u,
    ],
    why: 'nothing is promised to the microsecond; what is held was looked at, and what is not is asked once more where it is written',
  },
  {
    file: 'src/storage/sending/schedule-change.ts',
    reads: [/d\.expires_at >= now\(\) returning/u],
    why: 'nothing is promised to the microsecond',
  },
  {
    file: 'src/storage/sending/schedule-reopen.ts',
    reads: [
      'and ${nothingAsked(tx)}`;',
      / and true returning (?:d\.id as "draftId", code, )?\$\{secondsLeft/u,
    ],
    why: 'whoever changes what waits holds the limits of its chat; and its state was looked at',
  },
  {
    file: 'src/storage/sending/schedule-store.ts',
    reads: [/<= now\(\) - \$\{OVERDUE_SECONDS\}/u, /^await tx`update draft set state = .* and true`;$/u],
    why: 'nothing is promised to the microsecond; and it was just opened',
  },
  {
    file: 'src/storage/sending/reconcile-store.ts',
    reads: [
      /^and a\.ended_at >= now\(\) - interval '7 days'|on_wire_at < to_timestamp|a\.ended_at > to_timestamp|reserved_at\) <= now\(\)/u,
      "where a.state = 'accepted' and true",
      /^where (?:true|strpos\(c\.ids, m\.message_id\) >= 0)$/u,
      /^where true and a\.is_near and \(/u,
      /from attempt a join binding b on (?:true where|b\.id = a\.binding_id where true)/u,
    ],
    why: 'nothing is promised to the microsecond; calls and ids that are only read to be left out; and more is held than has to be',
  },
  {
    file: 'src/storage/sending/reconcile-store.ts',
    reads: [
      'where: tx`id = ${attemptId} and true`,',
      'and ${seen === undefined ? sql`true` : isSeen(sql, seen)} `;',
    ],
    why: 'it is held, and its state was looked at; and the index has the calls in their order',
  },
  {
    file: 'src/storage/sending/resent-in.ts',
    reads: [/GONE\)\} and true\)\)$/u, / w where true\)\)\)$/u],
    why: 'only slower: whose report says nothing of a failure is left out in the end',
  },
  {
    file: 'src/storage/sending/resent-in.ts',
    reads: [/^from \$\{again\} join draft o on true/u],
    why: 'only slower: what drafts of other kinds add names no message, for none is without a text',
  },
  {
    file: 'src/storage/sending/draft-confirmation.ts',
    reads: [
      /^where id = \$\{draft\.id\} and true returning/u,
      /a\.id = any\(\$\{resends\}::uuid\[\]\) and true returning/u,
    ],
    why: 'it is held, and its state was looked at',
  },
  {
    file: 'src/storage/sending/draft-back.ts',
    reads: [
      "where true and a.chat_id = d.chat_id and a.action = 'send_rejected_by_approver'",
      /= d\.code\)`;$/u,
      /d\.expires_at < now\(\)\)\)`;$/u,
    ],
    why: 'only what was rejected has such a row, and one; others are not looked up; nothing is promised to the microsecond',
  },
  {
    file: 'src/storage/sending/pace-in.ts',
    reads: [/^and \(state = 'reserved' or \(state <> 'planned' and (?:true|pace_ms >=)/u],
    why: 'what is more than an hour old makes no difference to the wait: only how much is read',
  },
  {
    file: 'src/storage/sending/operator-halt.ts',
    reads: [
      /^select (?:chat_id from job where \$\{move|distinct chat_id from job where true)/u,
      /hold_until < now\(\)\)\)`;$/u,
    ],
    why: 'of a chat that has nothing to pause, or nothing left, nothing is paused; one instant is nobody’s',
  },
  {
    file: 'src/storage/sending/limits-in.ts',
    reads: [/from draft d where true`;$/u, /expires_at >= now\(\)`;$/u],
    why: 'more is held than has to be; nothing is promised to the microsecond',
  },
  {
    file: 'src/storage/sending/judge-in.ts',
    reads: [
      /^where true and \$\{counts\} and d\.pace/u,
      /(?:j\.leaves_at <= day\.ends and \(j\.ended_at|j\.ended_at > day\.began\)`;$)/u,
    ],
    why: 'a faster way to the same; what leaves from midnight on is of the day that begins, wherever it is looked up',
  },
  {
    file: 'src/storage/sending/limits-store.ts',
    reads: [/(?:hold_until < now\(\)|expires_at >= now\(\))/u, 'order by confirmed_at, id`;'],
    why: 'the lock is against a stop of the same moment; nothing is promised to the microsecond',
  },
  {
    reads: [/new AppError\('[a-z_]+', (?:``|"")/u, '``,', /^ctx\.addIssue\(/u],
    why: 'words for the log; people are told by the code and its params',
  },
  {
    file: 'src/gateway/calls.ts',
    reads: [
      /unreadable', httpStatus \}, text: "Stryker was here!" \};$/u,
      'const answer = toAnswer(version, classify(result), "Stryker was here!", \'\');',
      /^const \{ messageIds = \["Stryker was here"\]/u,
    ],
    why: 'only a refusal has a text, and only what has digits is a trace',
  },
  {
    reads: [/^(?:options\.)?log\((?:omitUndefined|record)/u],
    why: 'a log that is none fails, and one that fails changes nothing',
  },
  {
    file: 'src/gateway/calls.ts',
    reads: [
      'if (true) last = { body, reading: interpret(body) };',
      'if (false) return false;',
      'if (reading.kind === "") return false;',
      'const reason = error instanceof WireError ? error.reason : "";',
    ],
    why: 'the first is the same, only slower; what was read has no code; a read fails with nothing but a WireError',
  },
  {
    reads: [
      'const name = tables[table][code];',
      'const full = able.find((offer) => offer.adapter.registration.takesPersonality === true);',
      /credentials\.apiKey \?\? new Secret\("Stryker was here!"\)/u,
      'id: true && code !== 0 && code <= LAST_CODE && code !== SUCCESS ? NO_ID : idIn(row),',
    ],
    why: 'for the types: each version has each table, each candidate its facet, no version 4 is reached without a key, and no code is no number that is compared',
  },
  {
    file: 'src/gateway/compose.ts',
    reads: [/^(?:const log =|return) false \?/u],
    why: 'where there is no tracer there is no span either, and nothing is traced',
  },
  {
    reads: [
      /^const NO_ID(?:: AcceptedId)? = (?:\{\}|\{ id: "" \}|"");$/u,
      'id: row.messageid ?? "",',
      /readonly Row\[\] = \["Stryker was here"\]/u,
    ],
    why: 'no id is none, however it is written',
  },
  {
    reads: [
      /(?:row\.to|sent: \{ text: sent\.text) \?\? "Stryker was here!"/u,
      /sent: \{ text: "Stryker was here!", line: recipient/u,
    ],
    why: 'nothing was echoed that it could be compared with',
  },
  {
    file: 'src/gateway/transport/write-once.ts',
    reads: [
      'const progress: Progress = { stage: "", written: false };',
      'progress.stage = "";',
      /^return \{ kind: "", answer:/u,
      '} catch {}',
      'const OVER = new WireError("");',
    ],
    why: 'where nothing has left nobody is told how far it got; of an answer nobody asks the kind; no word is no yes either',
  },
  {
    file: 'src/gateway/transport/write-once.ts',
    reads: [
      'const inTime = (): boolean => performance.now() - asked < options.fenceMs;',
      'isLate = false;',
      'allowH2: true,',
      'reset: false,',
      'given = false;',
    ],
    why: 'second walls: the other clock, no h2 offered by TLS, no pipelining, a library that asks for a connection once',
  },
  {
    file: 'src/gateway/transport/write-once.ts',
    reads: ['} finally {}'],
    why: 'what ends by itself a little later: the client of a socket that is closed',
  },
  {
    file: 'src/gateway/transport/unless-aborted.ts',
    reads: ['} finally {}', 'signal.removeEventListener("", onAbort);'],
    why: 'a listener of what is over is heard by nobody',
  },
  {
    file: 'src/gateway/transport/dial.ts',
    reads: [
      'options.signal?.removeEventListener("", giveUp);',
      /^socket\.once\((?:""|'close'), \(\) => (?:undefined|reject\(new WireError\((?:""|'reset')\)\))\);$/u,
      'const giveUp = (): void => guard.abort(new WireError(""));',
      'socket.setNoDelay(false);',
      'throw new WireError(wireFailure(error, ""));',
      '"",',
    ],
    why: 'a listener of what is over is heard by nobody; an error comes before each close; who gives up says why by a signal of its own; what only takes longer; and every failure before has its word',
  },
  {
    file: 'src/gateway/transport/read-pool.ts',
    reads: [
      /wireFailure\(error, ""\)/u,
      'allowH2: true,',
      /^return \{ httpStatus: response\.statusCode, body, \.\.\./u,
      'const timer = setTimeout(() => guard.abort(new WireError("")), options.deadlineMs);',
      /^const waitMs = random\(\) \* FIRST_WAIT_MS/u,
      /^await unlessAborted\(sleep\(waitMs, null, \{/u,
    ],
    why: 'every failure before has its word, and TLS is asked for HTTP 1 where it is dialled; the date is held by the tests of the operator’s commands, the word of a deadline by tests that take as long; how long a wait is nobody is promised, and a process that reads does not end',
  },
  {
    file: 'src/gateway/transport/dial-ahead.ts',
    reads: [/performance\.now\(\) <= restsUntil\) return;$/u, /stoodAt > STANDS_MS\) drop/u],
    why: 'nothing is promised to the millisecond',
  },
  {
    file: 'src/gateway/transport/dial-ahead.ts',
    reads: ['return true && socket.readableLength === 0;'],
    why: 'a second wall: the library writes nothing to a socket that is gone, and says so',
  },
  {
    file: 'src/gateway/transport/tunnels.ts',
    reads: [
      /^if \((?:true|seen\.length >= length)\) socket\.unshift/u,
      "if (seen.length >= options.limit) throw new WireError('proxy');",
      /^socket\.(?:once|off)\("", on(?:End|Readable)\);$/u,
      '} finally {}',
    ],
    why: 'nothing is given back; the bound is no exact one; of the end and the close either says so; and a listener of what is over is heard by nobody',
  },
  {
    file: 'src/gateway/transport/proxy.ts',
    reads: ['const known = KINDS[url?.protocol ?? "Stryker was here!"];'],
    why: 'neither is a kind of proxy',
  },
  {
    file: 'src/gateway/transport/checked-lookup.ts',
    reads: [
      /^else callback\(null, found\[0\](?:\.address \?\? '', found\[0\]\?|\?\.address \?\? "Stryker was here!", found\[0\]\?|\?\.address \?\? '', found\[0\])\.family\);$/u,
    ],
    why: 'for the types: what is no error has an address',
  },
  {
    file: 'src/gateway/transport/wire-error.ts',
    reads: [/'code' in error && true \?/u, /error\.code : "Stryker was here!";$/u],
    why: 'neither is a code that has a word',
  },
  {
    file: 'src/gateway/transport/http-call.ts',
    reads: [/throw new WireError\((?:'protocol'|"")\);$/u],
    why: 'for the types: a body comes in bytes',
  },
  {
    reads: [/^log\.(?:info|warn)\((?:\{\}, .*|.*, "")\);$/u],
    why: 'what the log says',
  },
  {
    file: 'src/features/sending/run/one-call.ts',
    reads: [
      '{},',
      '"",',
      "if (true && answer.reason === 'fence') {",
      /return \{ outcome: (?:"", local: true|'rejected', local: false) \};/u,
      'ids.flatMap(({ id, recipient }) => (false ? [] : [[recipient, id]])),',
    ],
    why: 'what the log says; no other outcome has a fence; what is refused here is told by its field alone; and nobody looks up a recipient that is none',
  },
  {
    file: 'src/features/sending/bulk/counter.ts',
    reads: [
      /, listed: true \}\);$/u,
      /NumbersFound\] = \[0, \{\}\];$/u,
      /^if \(false\) throw new Error\('a plan/u,
      'if (true) yield await before;',
      /then\(\(\) => undefined\);$/u,
    ],
    why: 'a list that nobody reads; no file is without rows; for the types; and undefined is no yes either',
  },
  {
    file: 'src/features/sending/bulk/keeper.ts',
    reads: ['if (false || bulk.phone === null) return;', 'const tally = false ? null : createTally(bulk);'],
    why: 'the store asks once more; and what is decided anew is decided the same, only slower',
  },
  {
    file: 'src/features/sending/bulk/planner.ts',
    reads: [
      'const phone = bulk.phone ?? +1;',
      'const fixed = true ? null : checked(plain);',
      'if (false) return fixed;',
      /(?:file\?\.name|pieces\.join\(|reason) ?(?:\?\? )?"/u,
      'own.set(key, (own.get(key) ?? 0) + 1);',
      /^encoding: key >= 0 \?/u,
      /left\.reason <= right\.reason/u,
    ],
    why: 'the same, only slower; for the types: there is a column, a reason, an operator and a name; without fields a text is one piece, none has no part, and no reason stands there twice',
  },
  {
    file: 'src/features/sending/bulk/steps.ts',
    reads: [/\?\? \["Stryker was here"\];$/u],
    why: 'neither is a number',
  },
  {
    file: 'src/features/sending/bulk/works.ts',
    reads: [
      /^if \(false\) throw new Error\('nothing comes/u,
      'const isDecided = false;',
      '[Symbol.asyncDispose]: () => undefined,',
      /^let (?:tally = createTally\(\{\}\)|names: readonly string\[\] = \["|mark = "")/u,
      /readColumns\(block\.map/u,
      /^if \((?:false \|\| rows|found === null) .*onlyHeader\(/u,
      /\.\.\.\(false \? \{\} : \{ row \}\)/u,
      'more -= 1',
    ],
    why: 'for the types, and until the first block, which each file has; the same, only slower; more rows to recognise columns by; and any mark will do that no text holds',
  },
  {
    reads: [
      /^(?:usage|ask|problem): \(\) => undefined,$/u,
      /^export const (?:daily|weekly|monthly)Argument = ruleArgument\('\w+', \(\) => undefined\);$/u,
      /^ask: \(\{ locale \}, known\) => texts\(locale\)/u,
    ],
    why: 'what people read: held by the tests of language, and by stories',
  },
  {
    file: 'src/features/sending/schedule/arguments.ts',
    reads: [
      'export const timeArgument = {} satisfies Argument;',
      /^atArgument\.problem\(locale, typed === '' \? "/u,
      'return false || perHour < PACE_LEAST || perHour > PACE_MOST ? refuse(ctx) : perHour;',
    ],
    why: 'a question of a form, which stories hold; neither is a time; and nothing is less than 50',
  },
  {
    file: 'src/features/sending/dates/arguments.ts',
    reads: [
      /^(?:export function tagArgument\(.*\) \{\}|return \{\} satisfies Argument;)$/u,
      '.transform((typed) => unquoted(typed).trim())',
      /^value: false \? 'on the day'/u,
      /\?\? (?:\["Stryker was here"\];|"Stryker was here!", rest: )/u,
      /^const \[all, .*"Stryker was here!"/u,
    ],
    why: 'the tag, which stories hold; spaces that are no part of a name either way; the same in other words; and the types do not know that an expression has its groups',
  },
  {
    file: 'src/features/sending/dates/runner.ts',
    reads: [/keyOf\(date, order\) \?\? "Stryker/u],
    why: 'neither is the key of a day',
  },
  {
    file: 'src/features/sending/dates/survey.ts',
    reads: [
      'next: first < 0 ? null : { at: ahead[first].at ?? now, people: counts[first] ?? 0 },',
      /^\.flatMap\(.*true && at > now/u,
    ],
    why: 'there are as many counts as days, and nothing is later than no instant',
  },
  {
    file: 'src/features/sending/kinds/calls.ts',
    reads: [/messages \?\? \["Stryker was here"\]/u, /summary\.personal === true/u],
    why: 'for the types: each call of several messages has them, and what was confirmed was counted',
  },
  {
    file: 'src/features/sending/kinds/multi/rows.ts',
    reads: [
      /^const TYPED = \/\(\[\^;؛\]\*\)/u,
      'const ANY_VERSION: RowRules = {};',
      /^const \[.* = (?:\[?"Stryker was here!?"\]?).*\] = (?:match|table);$/u,
    ],
    why: 'a row begins where its first cell does; nothing is no yes either; and the types do not know that an expression has its groups',
  },
  {
    file: 'src/features/sending/run/job-actions.ts',
    reads: [
      /backAs = "Stryker was here!"/u,
      'if (false || view.draft.authorId === ctx.person.id) return;',
      'if (units >= FILE_UNITS) await send(false);',
      /limitedRest\(done, job(?:\.|\?\..*Stryker)/u,
    ],
    why: 'no draft has either code, and what was found is there; the bound is no exact one; and what is resumed has a job',
  },
  {
    file: 'src/features/sending/run/job-run.ts',
    reads: [
      'signal.removeEventListener("", wake);',
      'writing < concurrency.limit(account) &&',
      'noMore = { kind: place > 0 ? "" : reserved.reason };',
      /^if \(pause !== null \|\| (?:false \|\| latest|calls === 0 \|\| false)/u,
      'gateway.expect(facetOf(latest), calls);',
      'return await gateways.of(bindingId).catch(() => undefined);',
      'if (false) return calls;',
      'const numbers = blocked.get(call) ?? ["Stryker was here"];',
      'if (false) return;',
    ],
    why: 'after the end there is nothing to be done; the bound is no exact one; the same, with one question more; a gateway that is told of no calls does nothing; what nobody catches makes a run of tests red, and none of them; and for the types',
  },
  {
    file: 'src/features/sending/run/job-run.ts',
    reads: ['} catch (error) {}', 'pauseFor({});', 'pauseFor({ kind: "", error });', ';'],
    why: 'of what goes back: it fails only where the process has to go, whose run ends either way; and the end of a call wakes whoever waits for its place',
  },
  {
    file: 'src/features/sending/run/sender.ts',
    reads: [
      /waitMs - 20\);$/u,
      /^log\.warn\((?:\{\},|\{ err: error \}, ""\);$)/u,
      'if (false) return;',
      /^if \(true\) await makeCalls/u,
      'case "":',
    ],
    why: 'what comes too early is put off again; what the log says; a run of a process that goes ends at once; and the store asks once more whether the job runs',
  },
  {
    file: 'src/features/sending/track/tracker.ts',
    reads: [
      /isOver = (?:false|after !== undefined && pages === 1|after === undefined && pages !== 1) \? left === 0/u,
    ],
    why: 'the same, with one question more to the database',
  },
  {
    file: 'src/features/sending/reconcile/reconciler.ts',
    reads: [
      '{},',
      '"",',
      'false ||',
      /^return \{ kind: "", proven: false/u,
      /\?\? \["Stryker was here"\]\),$/u,
    ],
    why: 'what the log says; a call has a line; and nothing ends so',
  },
  {
    file: 'src/features/sending/reconcile/outbox-evidence.ts',
    reads: [/\(\{ date \}\) => true && date < span\.from/u],
    why: 'what is not there is not less either',
  },
  {
    file: 'src/features/sending/draft/blocked-numbers.ts',
    reads: [/'gateway_no_answer', ""\)/u, 'answered.abort("");', /active\.get\(line\)\.has/u],
    why: 'words for the log, a reason that nobody reads, and each line was asked about',
  },
  {
    file: 'src/features/sending/draft/price-learning.ts',
    reads: [/^if \(true && others\.length === 0\)/u],
    why: 'a run that tells operators has one',
  },
  {
    file: 'src/gateway/json.ts',
    reads: [
      'if (false) return quick;',
      'return false ? { ok: true, value } : null;',
      'if (true) return true;',
      'return true;',
      'if (last + first + 1 >= LONG_DIGITS) return true;',
      /; (?:at|i) <= text\.length; /u,
      /^(?:if \(.*(?:keys|value === null\) return 0|return Number\.NaN)|for \(let at = text\.indexOf|function (?:mostKeysOf|keysIn))/u,
      /^(?:for \(const member of|return code >= ZERO|return true && code <=|if \(false\) continue)/u,
      'return stringify(value) ?? "";',
      /^while \((?:before >|true &&).*\) before -= 1;$/u,
      "if (typeof value !== 'object' || false) return 0;",
    ],
    why: 'names that are counted otherwise, and numbers taken for long ones, lead to the same by the parser that takes longer; nothing stands behind the end of a text, and nothing without a text has a bigint',
  },
  {
    reads: [
      'context.addIssue("");',
      'if (false) return members;',
      'if (false) return text;',
      'if (text === "Stryker was here!") return text;',
      /spelling\.length > SHORTEST/u,
      /call\.path\.length >= PATH_LIMIT/u,
      "path: false ? path : `${path}?${parameters.join('&')}`,",
    ],
    why: 'words that nobody reads, the same but slower, bounds that are no exact ones, and a query of nothing',
  },
  {
    reads: [
      'return { kind: "", status, text, code, data, entries, current };',
      /^return true && (?:reading\.code === NO_REPORT|value !== null && !Array)/u,
      /^if \(true && (?:envelope\.status === SUCCESS && envelope\.code|Number\.isSafeInteger\(value\)|\/\^\[0-9\]\{1,4\})/u,
      "return isBare && true && lookUpCode(1, code).table !== 'sending' ? undefined : code;",
      /^if \(sound\.length < read\.length\) return \{ messageIds: \["Stryker/u,
      /^return false \? null : \{ id, to:/u,
    ],
    why: 'for the types: what lacks a code, an id or members has none that could be compared',
  },
  {
    file: 'src/gateway/rest-blacklist.ts',
    reads: [/toText\((?:status|to)\) \?\? "Stryker was here!"/u, /^;$/u],
    why: 'a row without a number or a word is none, and a word that is not remembered is found out again',
  },
];
