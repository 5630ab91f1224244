import { texts } from '../../src/features/sending/dates/texts.ts';
import { peopleTagTexts } from '../../src/features/shared/people-tag.ts';
import { skipReason } from '../../src/features/shared/skip-reasons.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';
const AT = new Date('2026-11-26T06:30:00Z');

checkTexts(
  'src/features/sending/dates/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const [field, tag] = [foreign(40), foreign(32)];
  const days = format.count(3, t.days);
  const people = format.count(1204, peopleTagTexts(locale).people);
  const one = format.count(1, peopleTagTexts(locale).people);
  const place = format.number(2);
  return {
    head: [[format.count(2, t.orders)], [format.count(1, t.orders)]],
    row: [
      [place, true, field, tag],
      [place, false, field, tag],
    ],
    title: [[field, tag]],
    when: [
      [t.onTheDay, format.clock(600), true],
      [t.before(days), format.clock(600), false],
      [t.after(format.count(1, t.days)), format.clock(600), true],
    ],
    before: [[days]],
    after: [[days]],
    from: [[LINE]],
    by: [[foreign(NAME)]],
    next: [[format.dateTime(AT), one, format.count(30, t.days), people]],
    nobodySoon: [[format.count(30, t.days)]],
    nobody: [[tag]],
    good: [[people], [one]],
    empty: [[people]],
    bad: [[one, foreign(40)]],
    unfit: [[people]],
    sample: [[format.phone('989121234567'), foreign(500)]],
    cost: [
      [format.count(1, t.parts), null],
      [format.count(2, t.parts), format.rial(2840)],
    ],
    closed: [[format.clock(540), format.clock(1260)]],
    full: [[format.number(30)]],
    textNow: [[foreign(500)]],
    pause: [[place]],
    retext: [[place]],
    resume: [[place]],
    end: [[place]],
    paused: [[field, tag]],
    resumed: [[field, tag]],
    ended: [[field, tag]],
    askField: [[tag]],
    noField: [
      [foreign(60), foreign(40)],
      [foreign(60), null],
    ],
    badDays: [[foreign(40), format.number(60)]],
    daysLabel: [
      [0, format.number(0)],
      [1, format.number(1)],
      [3, format.number(3)],
    ],
    askTime: [['Asia/Tehran']],
    badTime: [[foreign(40)]],
    askRepeat: [[field]],
    byDate: [[field, tag]],
    nobodyFits: [[field, tag, one, skipReason(locale, 'missing')]],
  };
});
