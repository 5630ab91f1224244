import { foldWord } from './fold.ts';

/** The words that end what is going on, each as `foldWord` gives it: alone they are a command. */
export const CANCEL_WORDS = ['undo', 'stop', 'halt', 'لغو', 'کنسل', 'انصراف', 'بیخیال', 'توقف'] as const;

/** Whether words say yes. */
export function saysYes(words: string): boolean {
  return says(YES, words);
}

/** Whether words say no, or that something is to end. */
export function saysNo(words: string): boolean {
  return says(NO, words) && !GO_ON.test(foldWord(words));
}

/** Whether words say that something is to end, and not just no to whatever was asked. */
export function saysToEnd(words: string): boolean {
  return saysNo(words) && !says(BARE_NO, words);
}

/** Whether words say that something was wrong, and nothing else. */
export function saysMistake(words: string): boolean {
  return says(MISTAKES, words);
}

/** Whether words ask for the same once more. */
export function saysAgain(words: string): boolean {
  return says(AGAIN, words) && !saysYes(words);
}

/** Whether words ask how the newest send stands, or when it leaves. */
export function asksHowItWent(words: string): boolean {
  return says(HOW_IT_WENT, words);
}

/** Whether words want another text or time for the newest send, or that it rests. */
export function asksToChange(words: string): boolean {
  return (says(CHANGES, words) && !says(NO, words)) || CHANGES_TO.test(foldWord(words));
}

/** Whether words want somebody blocked, and say nothing else. */
export function saysToBlock(words: string): boolean {
  return says(BLOCKS, words);
}

/** Whether words greet or thank, and ask for nothing. */
export function isCourtesy(words: string): boolean {
  return says(COURTESIES, words);
}

/** What stands between words, and in them. */
const MARKS = /[\s.,!?؟'’،؛/\u200c]+/gu;

const YES: ReadonlySet<string> = new Set(
  'yes y yeah yep ok okay sure confirm confirmed send sendit go goahead doit approve approved alright بله بلی اره باشه باش اوکی اوکیه تایید تاییده تاییدمیکنم بفرست بفرستش بفرستید بفرستین ارسال ارسالکن ارسالکنید ارسالشود ارسالبشه درسته حتما خوبه حله قبوله موافقم ✅ 👍'.split(
    ' ',
  ),
);

/** As many words are one of those at most; the longest counts. */
const LENGTHS = [4, 3, 2, 1];

/** What is said beside a yes or a no. */
const BESIDE: ReadonlySet<string> = new Set(
  'it its them that this the now can could you please pls all everything oh sorry thanks thx لطفا میشه میتونی میتونید کن کنم کنی کنید کنین رو را همین الان فعلا هنوز همه همش همشو ای وای ببخشید ممنون مرسی'.split(
    ' ',
  ),
);

/** A no that is said of something one has given oneself. */
const MISTAKES: ReadonlySet<string> = new Set(
  'wrong wrongnumber wrongtext wrongperson wrongone mistake amistake mymistake wasamistake oops اشتباه اشتباهه اشتباهاست اشتباهشد اشتباهبود اشتباهزدم اشتباهکردم اشتباهنوشتم اشتباهیزدم اشتباهیبود شمارهاشتباهه شمارهاشتباهاست متناشتباهه متناشتباهاست غلطه غلطشد'.split(
    ' ',
  ),
);

const BARE_NO: ReadonlySet<string> = new Set(
  'no n nope never nothanks dont donot نه نخیر خیر نمیخوام نمیخواهم ❌ 👎'.split(' '),
);

const NO: ReadonlySet<string> = new Set([
  ...CANCEL_WORDS,
  ...MISTAKES,
  ...BARE_NO,
  ...'dontsend donotsend delete deleteit remove removeit cancel cancelit stopsending abort takeback takeitback wait waitasecond waitaminute holdon hangon nevermind forgetit notnow notyet حذف حذفش حذفشکن پاککن پاکشکن نفرست نفرستش نفرستید نفرستین ارسالنکن ارسالنکنید ارسالنشود ارسالنشه لغوارسال کنسلکن کنسلکنید کنسلش کنسلشکن کنسلشکنید کنسلشه کنسلبشه لغوکن لغوکنید لغوش لغوشکن لغوشکنید لغوشود لغوبشه لغوشه متوقفش متوقفکن وایسا وایستا صبرکن صبر یهلحظه یکلحظه دستنگهدار نگهشدار برگردون برگردونش برگردان برگردانش پسبگیر منصرفشدم پشیمونشدم پشیمانشدم ولکن ولشکن بیخیالش'.split(
    ' ',
  ),
]);

/** Says the opposite of the no that stands in it. */
const GO_ON = /(?:don['’]?t|do not|never)\s+(?:cancel|stop|halt|abort|undo|delete|remove|wait|forget|take)/u;

/** A yes may stand beside: `بفرست` in «دوباره بفرست». */
const AGAIN: ReadonlySet<string> = new Set([
  ...YES,
  ...'again once onemore onemoretime same sameagain thesame thesameone sameasbefore sameasyesterday sameaslasttime asyesterday aslasttime repeat resend دوباره دومرتبه مجدد مجددا بازم همون همونو همان همونپیام همونمتن همونقبلی همانقبلی مثلقبل مثلقبلی مثلدیروز مثلدفعهقبل تکرار تکرارکن تکرارش تکرارشکن'.split(
    ' ',
  ),
]);

const COURTESIES: ReadonlySet<string> = new Set(
  'hi hello hey there salam goodmorning goodafternoon goodevening goodnight goodday bye goodbye سلام سلامعلیکم علیک درود صبحبخیر ظهربخیر عصربخیر شببخیر روزبخیر وقتبخیر صبحتونبخیر روزتونبخیر وقتتونبخیر صبحشمابخیر روزشمابخیر وقتشمابخیر خداحافظ خدانگهدار thanks thx ty tnx cheers thankyou thankyousomuch thankyouverymuch manythanks thanksalot thankssomuch ممنون ممنونم خیلیممنون خیلیممنونم مرسی خیلیمرسی تشکر باتشکر متشکرم متشکر مچکرم سپاس سپاسگزارم دستتدردنکنه دستتوندردنکنه دستشمادردنکنه دستدردنکنه دمتگرم دمتونگرم خستهنباشید خستهنباشی قربونت 🙏 🌹'.split(
    ' ',
  ),
);

const HOW_IT_WENT: ReadonlySet<string> = new Set(
  'diditgo diditgothrough isitsent wasitsent sent delivered isitdelivered diditarrive notdelivered notsent itdidnotarrive itdidntarrive itdidnotgo didntarrive diditfail whydiditfail itfailed whendoesitleave whendoesitgo whenwillitleave whenwillitgo whogotit didtheygetit didhegetit didshegetit whodidntget whodidnotget whofailed whichfailed whichonesfailed howmanyfailed howmanyarrived رفت رفتش رسید رسیدش نرفت نرفته نرسید نرسیده چرانرفت چرانرفته چرانرسید چرانرسیده پیامنرسید پیامنرسیده پیاممنرسید پیاممنرسیده پیامکنرسید پیامکنرسیده پیامکمنرسیده ارسالنشد ارسالنشده ارسالشد ارسالشده فرستادهشد تحویلشد چیشد چهشد کیمیره کیمیرود کیارسالمیشه کیارسالمیشود بهدستشرسید بهدستشونرسید بهدستکینرسید بهکینرسید بهکینرسیده بهکیانرسید بهکیانرسیده بهکیارسید کیانگرفتن کیاگرفتن چندتارسید چندتانرسید'.split(
    ' ',
  ),
);

/** What is to be changed and what is to be done with it, and with a no before it: «نه، متنشو عوض کن». */
const CHANGES: ReadonlySet<string> = new Set([
  ...NO,
  ...'pause hold edit change fix correct reschedule postpone move moveit text message time date hour مکث مکثش عوض عوضش تغییر تغییرش تغییربده تغییربدی تغییربدید تغییربدین تغییرشبده ویرایش ویرایشش اصلاح اصلاحش درست درستش متن متنش متنو متنشو پیام پیامو پیامش زمان زمانو زمانش زمانشو ساعت ساعتش ساعتو ساعتشو وقت وقتش وقتشو تاریخ تاریخش تاریخشو'.split(
    ' ',
  ),
]);

const BLOCKS: ReadonlySet<string> = new Set(
  'block blockhim blockher thisnumber ban banhim banher spam itsspam thisisspam blacklist مسدود مسدودش بلاک بلاکش اسپم اسپمه لیستسیاه'.split(
    ' ',
  ),
);

/** How it begins where the new time or text stands behind. */
const CHANGES_TO =
  /^(?:please |لطفا )?(?:(?:move|shift|push|put|postpone|reschedule|change) (?:it|this|that|(?:the|its) (?:text|message|time|date|hour)) (?:to|for|at|by|until)|(?:ببر|بنداز|بذار|بگذار)ش|(?:متن|پیام|زمان|ساعت|وقت|تاریخ)(?:شو|ش? (?:رو|را)) (?:به|بکن|بذار|بگذار)) /u;

/** Whether words are one of those, or several of them with what is said beside. */
function says(meant: ReadonlySet<string>, words: string): boolean {
  const each = foldWord(words)
    .split(MARKS)
    .filter((word) => word !== '');
  let isSaid = false;
  for (let at = 0; at < each.length;) {
    const length = LENGTHS.find((count) => meant.has(each.slice(at, at + count).join('')));
    if (length === undefined && !BESIDE.has(each[at] ?? '')) return false;
    isSaid ||= length !== undefined;
    at += length ?? 1;
  }
  return isSaid;
}
