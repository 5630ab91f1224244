import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { mention, type Mentioned } from '../shared/mention.ts';
import { slash } from '../../telegram/slash.ts';

interface Row {
  readonly name: string;
  readonly username: string | null;
  readonly id: number;
  /** Null: by linking the account. */
  readonly by: string | null;
  readonly date: string;
}

export const texts = defineTexts({
  en: {
    aboutRole: 'give or take a role: reply to the person, or use the user name',
    aboutTeam: 'who has which role here',
    exampleRole: '/role @sara operator',
    usagePerson: '@person',
    usageRole: 'role',
    askPerson: html`Whose role? Press a name, or type ${code('@name')} or the person’s numeric id. Bots, channels and anonymous admins have no role.`,
    badPerson: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is neither a user name nor an id. Type ${code('@name')} or the numeric id that /whoami shows; or reply to a message of the person with ${code('/role operator')}.`,
    askRole: html`Which role? Each can also do what those before it can: viewer reads, operator sends, approver approves large sends, admin manages people and limits, owner holds the account.`,
    badRole: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not a role. The roles are ${code('viewer')}, ${code('operator')}, ${code('approver')}, ${code('admin')}, ${code('owner')}, and ${code('none')} takes a role away.`,
    noRole: 'No role',
    onlyInGroups: html`A private chat has one person, so there is no role to give here. Give roles in the group: reply to the person with ${code('/role operator')}.`,
    nobody: html`Bots, channels and anonymous admins cannot have a role: anybody could be behind them. Only people have roles.`,
    aboveOwn: (role: string): Html =>
      html`Nobody can give a role above their own, so only the owner can make someone ${role}. Nothing was changed.`,
    personAbove: (who: Mentioned, role: string): Html =>
      html`${mention(who)} is ${role} here, which is above your own role. Nothing was changed.`,
    notAllowed: html`Your role here does not allow this any more. Nothing was changed.`,
    lastOwner: (who: Mentioned): Html =>
      html`${mention(who)} is the only owner, and a chat always keeps one. Make another person owner first: reply to them with ${code('/role owner')}.`,
    same: (who: Mentioned, role: string | null): Html =>
      role === null ? html`${mention(who)} has no role here.` : html`${mention(who)} is ${role} here.`,
    given: (who: Mentioned, role: string, from: string | null, by: string): Html =>
      lines(
        html`✅ ${mention(who)} · id ${code(who.id)} is now ${b(role)} here${from === null ? '' : html`, before: ${from}`}. Given by ${isolateAuto(by)}.`,
        html`What that allows: /whoami`,
      ),
    taken: (who: Mentioned, from: string, by: string): Html =>
      html`✅ ${mention(who)} · id ${code(who.id)} has no role here any more, before: ${from}. Taken by ${isolateAuto(by)}.`,
    askOwner: (who: Mentioned): Html =>
      lines(
        html`Make ${mention(who)} · id ${code(who.id)} an owner?`,
        html`An owner can do everything that you can: link another account, unlink this one, spend its credit, and take your own role away. You stay owner too.`,
      ),
    makeOwner: '✅ Make owner',
    cancel: '✖ Cancel',
    left: html`Cancelled. Nothing was changed.`,
    unmetNone: html`I know nobody here with that name or id, so there is no role to take away. Reply to a message of the person with ${code('/role none')}, or take the id from /team`,
    unmetOwner: html`I know nobody here with that name or id, and an owner is never made by a link. Ask the person to write /whoami here, then reply to that with ${code('/role owner')}.`,
    joinLink: (role: string, url: string, only: number | null): Html =>
      lines(
        html`I know nobody here with that name or id, and a bot cannot look people up. Reply to a message of the person with the role, or use this link. It makes ${only === null ? 'whoever opens it first' : html`the person with id ${code(only)}`} ${b(role)} here:`,
        code(url),
        html`It works once, within 24 hours, and only while you may give that role.`,
      ),
    join: (role: string): string => `➡ Join as ${role}`,
    joined: (role: string, chat: string): Html =>
      html`✅ You are ${b(role)} in «${isolateAuto(chat)}». Write /whoami there to see what that allows.`,
    joinedChat: (who: Mentioned, role: string, granter: string): Html =>
      html`✅ ${mention(who)} · id ${code(who.id)} joined as ${b(role)} by ${isolateAuto(granter)}’s link.`,
    hasRole: (role: string, chat: string): Html =>
      html`You are ${b(role)} in «${isolateAuto(chat)}» already. The link can still be used by someone else.`,
    voidLink: html`This link is no longer valid: whoever made it may not give that role any more. Ask an admin of the chat for a new one.`,
    linkGone: html`This link has been used, has expired, or is not for you. Ask an admin of the chat for a new one.`,
    team: (title: string, people: string): Html =>
      html`${b('Roles')}${title === '' ? '' : html` in «${isolateAuto(title)}»`} · ${people}`,
    people: { one: 'person', other: 'people' },
    heading: (role: string): Html => b(role),
    member: ({ name, username, id, by, date }: Row): Html =>
      html`${isolateAuto(name)}${username === null ? '' : html` ${code(`@${username}`)}`} · id ${code(id)} · ${by === null ? html`linked the account` : html`by ${isolateAuto(by)}`}, ${date}`,
  },
  fa: {
    aboutRole: 'دادن یا گرفتن نقش: در پاسخ به پیام شخص، یا با نام کاربری',
    aboutTeam: 'چه کسی اینجا چه نقشی دارد',
    exampleRole: '/role @sara operator',
    usagePerson: '@شخص',
    usageRole: 'نقش',
    askPerson: html`نقش چه کسی؟ نامی را بزنید، یا ${code('@name')} یا شناسهٔ عددی او را بنویسید. ربات، کانال و مدیر ناشناس نقشی ندارد.`,
    badPerson: (typed) =>
      html`«${isolateAuto(typed)}» نه نام کاربری است و نه شناسه. ${code('@name')} یا شناسهٔ عددی را که ${slash('fa', 'whoami')} نشان می‌دهد بنویسید؛ یا در پاسخ به پیام شخص ${code('/role اپراتور')} بفرستید.`,
    askRole: html`کدام نقش؟ هر کدام اختیارهای قبلی‌ها را هم دارد: بیننده می‌بیند، اپراتور ارسال می‌کند، تأییدکننده ارسال‌های بزرگ را تأیید می‌کند، مدیر افراد و سقف‌ها را تعیین می‌کند و مالک اختیار حساب را دارد.`,
    badRole: (typed) =>
      html`«${isolateAuto(typed)}» نقش نیست. نقش‌ها: ${code('بیننده')}، ${code('اپراتور')}، ${code('تأییدکننده')}، ${code('مدیر')}، ${code('مالک')}؛ و ${code('هیچ')} برای گرفتن نقش.`,
    noRole: 'بدون نقش',
    onlyInGroups: html`گفتگوی خصوصی یک نفر دارد و اینجا نقشی برای دادن نیست. نقش را در گروه بدهید: در پاسخ به پیام شخص ${code('/role اپراتور')} بفرستید.`,
    nobody: html`ربات، کانال و مدیر ناشناس نقش نمی‌گیرند، چون معلوم نیست پشت آن‌ها چه کسی است. فقط آدم‌ها نقش می‌گیرند.`,
    aboveOwn: (role) =>
      html`هیچ‌کس نقشی بالاتر از نقش خودش نمی‌دهد؛ فقط مالک می‌تواند کسی را ${role} کند. چیزی تغییر نکرد.`,
    personAbove: (who, role) =>
      html`${mention(who)} اینجا ${role} است، بالاتر از نقش خودتان. چیزی تغییر نکرد.`,
    notAllowed: html`نقش شما در اینجا دیگر این اجازه را نمی‌دهد. چیزی تغییر نکرد.`,
    lastOwner: (who) =>
      html`${mention(who)} تنها مالک اینجاست و هیچ گفتگویی بدون مالک نمی‌ماند. اول کس دیگری را مالک کنید: در پاسخ به پیامش ${code('/role مالک')} بفرستید.`,
    same: (who, role) =>
      role === null
        ? html`${mention(who)} اینجا نقشی ندارد.`
        : html`نقش ${mention(who)} در اینجا ${role} است.`,
    given: (who, role, from, by) =>
      lines(
        html`✅ ${mention(who)} · شناسه ${code(who.id)} از این به بعد در اینجا ${b(role)} است${from === null ? '' : html`، قبلاً: ${from}`}. توسط ${isolateAuto(by)}.`,
        html`اختیارهایش: ${slash('fa', 'whoami')}`,
      ),
    taken: (who, from, by) =>
      html`✅ ${mention(who)} · شناسه ${code(who.id)} دیگر در اینجا نقشی ندارد، قبلاً: ${from}. توسط ${isolateAuto(by)}.`,
    askOwner: (who) =>
      lines(
        html`${mention(who)} · شناسه ${code(who.id)} هم مالک شود؟`,
        html`مالک هر کاری را که شما می‌توانید می‌تواند: وصل‌کردن حسابی دیگر، جداکردن این حساب، خرج‌کردن اعتبارش، و گرفتن نقش خود شما. شما هم مالک می‌مانید.`,
      ),
    makeOwner: '✅ مالک شود',
    cancel: '✖ انصراف',
    left: html`لغو شد. چیزی تغییر نکرد.`,
    unmetNone: html`اینجا کسی را با این نام یا شناسه نمی‌شناسم، پس نقشی برای گرفتن نیست. در پاسخ به پیام آن شخص ${code('/role هیچ')} بفرستید، یا شناسه را از ${slash('fa', 'team')} بردارید.`,
    unmetOwner: html`اینجا کسی را با این نام یا شناسه نمی‌شناسم و مالک با لینک تعیین نمی‌شود. آن شخص اینجا ${slash('fa', 'whoami')} بفرستد، بعد در پاسخ به همان پیام ${code('/role مالک')} بفرستید.`,
    joinLink: (role, url, only) =>
      lines(
        html`اینجا کسی را با این نام یا شناسه نمی‌شناسم و ربات نمی‌تواند افراد را جستجو کند. در پاسخ به پیام آن شخص نقش را بفرستید، یا از این لینک استفاده کنید. با آن ${only === null ? 'اولین کسی که بازش کند' : html`دارندهٔ شناسهٔ ${code(only)}`} در اینجا ${b(role)} می‌شود:`,
        code(url),
        html`فقط یک بار، تا ۲۴ ساعت و تا وقتی کار می‌کند که خودتان اجازهٔ دادن این نقش را دارید.`,
      ),
    join: (role) => `➡ عضویت با نقش ${role}`,
    joined: (role, chat) =>
      html`✅ نقش شما در «${isolateAuto(chat)}» ${b(role)} است. برای دیدن اختیارهایتان همان‌جا ${slash('fa', 'whoami')} بفرستید.`,
    joinedChat: (who, role, granter) =>
      html`✅ ${mention(who)} · شناسه ${code(who.id)} با لینک ${isolateAuto(granter)} با نقش ${b(role)} عضو شد.`,
    hasRole: (role, chat) =>
      html`نقش شما در «${isolateAuto(chat)}» الان هم ${b(role)} است. لینک برای کس دیگری می‌ماند.`,
    voidLink: html`این لینک دیگر معتبر نیست: سازنده‌اش دیگر اجازهٔ دادن آن نقش را ندارد. از یکی از مدیران گفتگو لینک جدید بخواهید.`,
    linkGone: html`این لینک استفاده شده، مهلتش گذشته یا برای شما نیست. از یکی از مدیران گفتگو لینک جدید بخواهید.`,
    team: (title, people) =>
      html`${b('نقش‌ها')}${title === '' ? '' : html` در «${isolateAuto(title)}»`} · ${people}`,
    people: { one: 'نفر', other: 'نفر' },
    heading: (role) => b(role),
    member: ({ name, username, id, by, date }) =>
      html`${isolateAuto(name)}${username === null ? '' : html` ${code(isolateLtr(`@${username}`))}`} · شناسه ${code(id)} · ${by === null ? html`حساب را وصل کرد` : html`توسط ${isolateAuto(by)}`}، ${date}`,
  },
});
