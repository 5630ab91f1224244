import { texts } from '../../src/features/limits/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

checkTexts('src/features/limits/texts.ts', texts)(
  ({ locale, foreign, format }) => {
    const t = texts(locale);
    const parts = format.count(120, t.parts);
    const value = t.approval(parts);
    const since = format.dateTime(new Date('2026-11-24T08:30:00Z'));
    return {
      askLimit: [[''], [foreign(40)]],
      badLimit: [[foreign(40)]],
      badApproval: [[foreign(40)]],
      badCap: [[foreign(40)]],
      askWindow: [['Asia/Tehran']],
      badWindow: [[foreign(40)]],
      approval: [[parts], [null]],
      cap: [[format.rial(10_000_000)], [parts], [null]],
      capToday: [[format.rial(2_000_000)]],
      personCapToday: [[foreign(NAME), format.rial(2_000_000)]],
      capRate: [[parts]],
      window: [[format.digits('09:00'), format.digits('21:00')]],
      windowZone: [
        ['Asia/Tehran', true],
        ['Asia/Tehran', false],
      ],
      row: [['👥', t.names.approval, value]],
      edit: [[t.names.approval]],
      turnOff: [[t.names.approval]],
      changed: [[t.names.approval, value, t.windowOff, foreign(NAME)]],
      unchanged: [[t.names.approval, value]],
      pricePaid: [[format.rial(1420)]],
      priceTariff: [[format.rial(1420)]],
      capTooSmall: [[format.rial(1420), 'personcap']],
      noPrice: [['cap']],
      halted: [
        [foreign(NAME), since],
        [null, since],
      ],
      held: [[since]],
      goneHeld: [[foreign(NAME)]],
      askZone: [['Asia/Tehran']],
      badZone: [[foreign(40)]],
      zoneSet: [['Asia/Dubai', since, 'Asia/Tehran', foreign(NAME)]],
      zoneSame: [['Asia/Tehran', since]],
      stopped: [
        [foreign(NAME), format.count(12, t.sends)],
        [foreign(NAME), null],
      ],
      stoppedBefore: [
        [foreign(NAME), since],
        [null, since],
      ],
      gone: [
        [foreign(NAME), format.count(12, t.sends), null],
        [foreign(NAME), null, format.count(1, t.sends)],
      ],
    };
  },
  { sameInBoth: ['usage'] },
);
