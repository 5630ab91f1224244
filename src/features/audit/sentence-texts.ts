import type { MissReason, StopReason } from '../../domain/job.ts';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { html, type Html } from '../../telegram/html.ts';

/** The details of one entry as they may stand in a sentence: foreign text isolated and cut, numbers in the language. */
export interface Told {
  /** '' where it is not told. */
  readonly text: (key: string) => string;
  /** Latin, and a tap copies it; '' where it is not told. */
  readonly code: (key: string, prefix?: string) => Html;
  /** Null where it is not told. */
  readonly number: (key: string) => string | null;
  readonly flag: (key: string) => boolean;
  /** Whether it is this closed word. */
  readonly is: (key: string, word: string) => boolean;
  /** '' for no role. */
  readonly role: (key: string) => string;
  /** The kind of alert that it is about; '' where that is none. */
  readonly alert: () => string;
  /** The limits that changed, each as it was and as it is. */
  readonly limits: () => Html;
}

/**
 * What was done, in words that follow on "Sara: …". One sentence for every action that is written anywhere; a
 * test holds them against each other.
 */
export const sentences = defineTexts({
  en: {
    account_linked: (d: Told): Html =>
      html`linked a gateway account${d.flag('becameOwner') ? ' and became owner' : ''}`,
    account_unlinked: (): Html => html`unlinked the gateway account`,
    line_set: (d: Told): Html =>
      html`set the sender line ${d.code('line')}${d.number('threadId') === null ? '' : ' for a topic'}`,
    key_exposed: (d: Told): Html =>
      html`${d.flag('nameless') ? 'found what looked like a key in a message that names no person' : 'wrote what looked like a key'}; the message ${d.flag('deleted') ? 'was deleted' : 'could not be deleted'}`,
    card_tagged: (d: Told): Html => html`tagged ${d.code('code', '#')} 🏷 ${d.text('name')}`,
    card_untagged: (d: Told): Html => html`took the tag 🏷 ${d.text('name')} off ${d.code('code', '#')}`,
    draft_cancelled: (d: Told): Html => html`cancelled draft ${d.code('code', '#')}`,
    approval_asked: (d: Told): Html => html`asked for a second person’s approval of ${d.code('code', '#')}`,
    send_approved: (d: Told): Html => html`approved ${d.code('code', '#')}`,
    send_rejected_by_approver: (d: Told): Html => html`did not approve ${d.code('code', '#')}`,
    send_confirmed: (d: Told): Html =>
      html`confirmed the send ${d.code('code', '#')}${tail(d.number('recipients'), 'recipients', 'recipient')}`,
    send_followed: (d: Told): Html =>
      html`scheduled ${d.code('code', '#')}, which follows ${d.code('follows', '#')} in its series${tail(d.number('recipients'), 'recipients', 'recipient')}`,
    send_by_date: (d: Told): Html =>
      html`made the send ${d.code('code', '#')} by the date «${d.text('field')}» of #${d.text('tag')}${tail(d.number('recipients'), 'recipients', 'recipient')}`,
    date_send_on: (d: Told): Html =>
      html`switched on the send by date «${d.text('field')}» of #${d.text('tag')}`,
    date_send_paused: (d: Told): Html =>
      html`paused the send by date «${d.text('field')}» of #${d.text('tag')}`,
    date_send_resumed: (d: Told): Html =>
      html`resumed the send by date «${d.text('field')}» of #${d.text('tag')}`,
    date_send_changed: (d: Told): Html =>
      html`changed the text of the send by date «${d.text('field')}» of #${d.text('tag')}`,
    date_send_ended: (d: Told): Html =>
      html`ended the send by date «${d.text('field')}» of #${d.text('tag')}`,
    send_missed: (d: Told): Html => html`held a scheduled send back${why(MISSED.en, d)}${card(d)}`,
    schedule_reopened: (d: Told): Html => html`began to change a scheduled send${card(d)}`,
    schedule_cancelled: (d: Told): Html =>
      html`cancelled a scheduled send${d.flag('series') ? ' and all its repeats' : ''}${card(d)}`,
    send_undone: (d: Told): Html => html`undid a send before it started${card(d)}`,
    send_stopped: (d: Told): Html => html`a send was stopped${why(STOPPED.en, d)}${card(d)}`,
    send_paused: (d: Told): Html => html`paused a send${card(d)}`,
    send_resumed: (d: Told): Html =>
      html`resumed a send${d.flag('approved') ? ', as the second person who approves' : ''}${card(d)}${tail(d.number('recipients'), 'to send')}`,
    sends_halted: (d: Told): Html =>
      html`${d.flag('removed') ? 'removed the bot, which switched all sends of the chat off' : 'switched all sends of the chat off'}${tail(d.number('paused'), 'paused')}`,
    sends_allowed: (d: Told): Html =>
      html`${d.flag('returned') ? 'brought the bot back, which switched the sends of the chat on again' : 'switched the sends of the chat on again'}${tail(d.number('resumed'), 'resumed')}${tail(d.number('kept'), 'stayed paused')}`,
    sends_held: (d: Told): Html =>
      html`the bot’s administrator stopped the sends of all chats${tail(d.number('paused'), 'paused')}`,
    sends_released: (d: Told): Html =>
      html`the bot’s administrator let sends continue${tail(d.number('resumed'), 'resumed')}${tail(d.number('kept'), 'stayed paused')}`,
    audit_purged: (d: Told): Html =>
      html`entries of the record that were past their time were removed${tail(d.number('entries'), '')}`,
    number_forgotten: (d: Told): Html =>
      html`the bot’s administrator removed a phone number everywhere${tail(d.number('rows'), 'places', 'place')}`,
    backup_restored: (d: Told): Html =>
      html`the bot’s data was restored from a backup${tail(d.number('doubtful'), 'requests looked for at the gateway', 'request looked for at the gateway')}${tail(d.number('asked'), 'scheduled sends wait for a decision', 'scheduled send waits for a decision')}`,
    send_settled: (d: Told): Html =>
      html`said that the unknown part of ${d.code('code', '#')} was ${d.flag('sent') ? '' : 'not '}sent${tail(d.number('recipients'), 'recipients', 'recipient')}`,
    send_heard_late: (d: Told): Html =>
      html`a late answer showed that part of ${d.code('code', '#')} was ${d.flag('sent') ? '' : 'not '}sent, unlike what a person had decided${tail(d.number('recipients'), 'recipients', 'recipient')}`,
    role_granted: (d: Told): Html => html`made ${d.text('name')} ${d.role('new')}${before(', before: ', d)}`,
    member_left: (d: Told): Html => html`left the group; the role ${d.role('role')} is suspended`,
    member_returned: (d: Told): Html => html`came back to the group, as ${d.role('role')}`,
    role_removed: (d: Told): Html => html`took the role ${d.role('old')} from ${d.text('name')}`,
    join_link_made: (d: Told): Html => html`made a join link for the role ${d.role('new')}`,
    join_link_used: (d: Told): Html =>
      html`joined as ${d.role('new')} by ${d.text('name')}’s link${before(', before: ', d)}`,
    limits_changed: (d: Told): Html => html`changed the limits: ${d.limits()}`,
    line_rule_changed: (d: Told): Html => html`changed the rules of line ${d.code('line')}: ${d.limits()}`,
    time_zone_changed: (d: Told): Html => html`set the time zone of the chat to ${d.code('new')}`,
    alerts_place_added: (d: Told): Html => html`turned alerts on for ${place(d, 'this chat')}`,
    alerts_place_changed: (d: Told): Html => html`changed the alerts for ${place(d, 'this chat')}`,
    alerts_place_removed: (d: Told): Html => html`turned alerts off for ${place(d, 'this chat')}`,
    alert_threshold_set: (d: Told): Html =>
      html`set the threshold of ${d.alert().toLowerCase()} alerts${tail(d.number('threshold'), '')}`,
    alert_muted: (d: Told): Html => html`muted ${d.alert().toLowerCase()} alerts`,
    alert_unmuted: (d: Told): Html => html`unmuted ${d.alert().toLowerCase()} alerts`,
    alert_acked: (d: Told): Html => html`took on an alert: ${d.alert().toLowerCase()}`,
    user_register_called: (d: Told): Html =>
      html`sent the registration of user «${d.text('userName')}» to the gateway`,
    user_registered: (d: Told): Html => html`registered the gateway user «${d.text('userName')}»`,
    user_register_refused: (d: Told): Html => html`the gateway refused to register «${d.text('userName')}»`,
    user_register_unknown: (d: Told): Html =>
      html`it is not known whether the gateway registered «${d.text('userName')}»`,
    user_register_unsent: (d: Told): Html =>
      html`the registration of «${d.text('userName')}» was not sent to the gateway`,
    book_created: (d: Told): Html => html`created the phonebook «${d.text('title')}»${numbersEn(d)}`,
    book_numbers_added: (d: Told): Html => html`added to the phonebook «${d.text('title')}»${numbersEn(d)}`,
    book_numbers_removed: (d: Told): Html =>
      html`removed from the phonebook «${d.text('title')}»${numbersEn(d)}`,
    book_deleted: (d: Told): Html => html`deleted the phonebook «${d.text('title')}»${numbersEn(d)}`,
    blacklist_added: (d: Told): Html =>
      html`put numbers on the blacklist${d.text('line') === '' ? '' : html` of line ${d.code('line')}`}${blockedEn(d)}`,
    blacklist_removed: (d: Told): Html =>
      html`took ${d.code('number')} off the blacklist${d.text('line') === '' ? '' : html` of line ${d.code('line')}`}${outcome(OUTCOMES.en, d)}`,
    template_saved: (d: Told): Html => html`saved the template «${d.text('name')}»`,
    template_replaced: (d: Told): Html => html`replaced the text of the template «${d.text('name')}»`,
    template_answers_on: (d: Told): Html => html`offered the template «${d.text('name')}» for answers`,
    template_answers_off: (d: Told): Html =>
      html`stopped offering the template «${d.text('name')}» for answers`,
    template_deleted: (d: Told): Html => html`deleted the template «${d.text('name')}»`,
    people_kept: (d: Told): Html => html`kept the people of a file under #${d.text('name')}${numbersEn(d)}`,
    people_dropped: (d: Told): Html => html`took the people under #${d.text('name')} out${numbersEn(d)}`,
    person_kept: (d: Told): Html => html`changed what is kept of ${d.code('number')}`,
    person_dropped: (d: Told): Html => html`took ${d.code('number')} out of the people`,
    inbox_rule_added: (d: Told): Html =>
      html`added the rule «${d.text('words')}» for received messages${d.flag('answers') ? ', which answers by itself' : ''}`,
    inbox_rule_deleted: (d: Told): Html => html`deleted the rule «${d.text('words')}» for received messages`,
    desk_hours_set: (): Html => html`set the desk hours`,
    desk_hours_off: (): Html => html`took the desk hours away`,
    closed_answer_set: (): Html => html`set the automatic answer outside the desk hours`,
    closed_answer_off: (): Html => html`turned off the automatic answer outside the desk hours`,
    inbox_numbers_whole: (): Html => html`turned on whole numbers on the cards of received messages`,
    inbox_numbers_masked: (): Html => html`turned off whole numbers on the cards of received messages`,
    inbox_marked_on: (): Html => html`turned on marking messages read at the gateway`,
    inbox_marked_off: (): Html => html`turned off marking messages read at the gateway`,
    optout_on: (d: Told): Html => html`turned on opting out by 11 and in by 12 for line ${d.code('line')}`,
    optout_off: (d: Told): Html => html`turned off opting out by 11 and in by 12 for line ${d.code('line')}`,
    opted_out: (d: Told): Html =>
      html`${d.code('number')} opted out by a reply of 11 to line ${d.code('line')}${d.is('outcome', 'unknown') ? '; it is not known whether it is on the blacklist' : ''}`,
    opted_in: (d: Told): Html =>
      html`${d.code('number')} opted in by a reply of 12 to line ${d.code('line')}${d.is('outcome', 'unknown') ? '; it is not known whether it is off the blacklist' : ''}`,
    inbox_received: (d: Told): Html =>
      html`fetched unread messages${d.text('line') === '' ? '' : html` of line ${d.code('line')}`}, which marks them read${tail(d.number('count'), '')}${outcome(OUTCOMES.en, d)}`,
  },
  fa: {
    account_linked: (d) => html`حساب پنل پیامک را وصل کرد${d.flag('becameOwner') ? ' و مالک شد' : ''}`,
    account_unlinked: () => html`حساب پنل پیامک را جدا کرد`,
    line_set: (d) =>
      html`خط فرستنده را ${d.code('line')} تعیین کرد${d.number('threadId') === null ? '' : '، برای یک موضوع'}`,
    key_exposed: (d) =>
      html`${d.flag('nameless') ? 'در پیامی بدون نام فرستنده چیزی شبیه کلید پیدا کرد' : 'چیزی شبیه کلید نوشت'}؛ پیام ${d.flag('deleted') ? 'پاک شد' : 'را نمی‌شد پاک کرد'}`,
    card_tagged: (d) => html`به ${d.code('code', '#')} برچسب 🏷 ${d.text('name')} زد`,
    card_untagged: (d) => html`برچسب 🏷 ${d.text('name')} را از ${d.code('code', '#')} برداشت`,
    draft_cancelled: (d) => html`پیش‌نویس ${d.code('code', '#')} را لغو کرد`,
    approval_asked: (d) => html`برای ${d.code('code', '#')} تأیید نفر دوم خواست`,
    send_approved: (d) => html`${d.code('code', '#')} را تأیید کرد`,
    send_rejected_by_approver: (d) => html`${d.code('code', '#')} را رد کرد`,
    send_confirmed: (d) =>
      html`ارسال ${d.code('code', '#')} را تأیید کرد${tail(d.number('recipients'), 'گیرنده')}`,
    send_followed: (d) =>
      html`${d.code('code', '#')} را که تکرار بعدی ${d.code('follows', '#')} است زمان‌بندی کرد${tail(d.number('recipients'), 'گیرنده')}`,
    send_by_date: (d) =>
      html`ارسال ${d.code('code', '#')} را با تاریخ «${d.text('field')}» مخاطبان #${d.text('tag')} ساخت${tail(d.number('recipients'), 'گیرنده')}`,
    date_send_on: (d) => html`ارسال مناسبتی «${d.text('field')}» برای #${d.text('tag')} را روشن کرد`,
    date_send_paused: (d) => html`ارسال مناسبتی «${d.text('field')}» برای #${d.text('tag')} را در مکث گذاشت`,
    date_send_resumed: (d) => html`ارسال مناسبتی «${d.text('field')}» برای #${d.text('tag')} را ادامه داد`,
    date_send_changed: (d) => html`متن ارسال مناسبتی «${d.text('field')}» برای #${d.text('tag')} را عوض کرد`,
    date_send_ended: (d) => html`ارسال مناسبتی «${d.text('field')}» برای #${d.text('tag')} را پایان داد`,
    send_missed: (d) => html`یک ارسال زمان‌بندی‌شده را نگه داشت${why(MISSED.fa, d)}${card(d)}`,
    schedule_reopened: (d) => html`تغییر یک ارسال زمان‌بندی‌شده را شروع کرد${card(d)}`,
    schedule_cancelled: (d) =>
      html`یک ارسال زمان‌بندی‌شده را لغو کرد${d.flag('series') ? '، با همهٔ تکرارهایش' : ''}${card(d)}`,
    send_undone: (d) => html`یک ارسال را قبل از شروع لغو کرد${card(d)}`,
    send_stopped: (d) => html`یک ارسال متوقف شد${why(STOPPED.fa, d)}${card(d)}`,
    send_paused: (d) => html`یک ارسال را روی مکث گذاشت${card(d)}`,
    send_resumed: (d) =>
      html`یک ارسال را ادامه داد${d.flag('approved') ? '، به عنوان تأییدکننده' : ''}${card(d)}${tail(d.number('recipients'), 'مانده برای ارسال')}`,
    sends_halted: (d) =>
      html`${d.flag('removed') ? 'ربات را حذف کرد و همهٔ ارسال‌های گفتگو خاموش شد' : 'همهٔ ارسال‌های گفتگو را خاموش کرد'}${tail(d.number('paused'), 'روی مکث رفت')}`,
    sends_allowed: (d) =>
      html`${d.flag('returned') ? 'ربات را برگرداند و ارسال‌های گفتگو دوباره روشن شد' : 'ارسال‌های گفتگو را دوباره روشن کرد'}${tail(d.number('resumed'), 'ادامه پیدا کرد')}${tail(d.number('kept'), 'روی مکث ماند')}`,
    sends_held: (d) =>
      html`مدیر ربات ارسال‌های همهٔ گفتگوها را متوقف کرد${tail(d.number('paused'), 'روی مکث رفت')}`,
    sends_released: (d) =>
      html`مدیر ربات دوباره به ارسال‌ها اجازه داد${tail(d.number('resumed'), 'ادامه پیدا کرد')}${tail(d.number('kept'), 'روی مکث ماند')}`,
    audit_purged: (d) =>
      html`مواردی از سابقه که مهلت نگهداری‌شان تمام شده بود پاک شد${tail(d.number('entries'), '')}`,
    number_forgotten: (d) => html`مدیر ربات یک شماره را از همه‌جا پاک کرد${tail(d.number('rows'), 'جا')}`,
    backup_restored: (d) =>
      html`داده‌های ربات از نسخهٔ پشتیبان برگردانده شد${tail(d.number('doubtful'), 'درخواست در پنل پیامک جستجو می‌شود')}${tail(d.number('asked'), 'ارسال زمان‌بندی‌شده منتظر تصمیم است')}`,
    send_settled: (d) =>
      html`گفت بخش نامعلوم ${d.code('code', '#')} ${d.flag('sent') ? 'ارسال شده است' : 'ارسال نشده است'}${tail(d.number('recipients'), 'گیرنده')}`,
    send_heard_late: (d) =>
      html`پاسخی که دیر آمد نشان داد بخشی از ${d.code('code', '#')}، برخلاف تصمیم یک نفر، ${d.flag('sent') ? 'ارسال شده است' : 'ارسال نشده است'}${tail(d.number('recipients'), 'گیرنده')}`,
    role_granted: (d) => html`به ${d.text('name')} نقش ${d.role('new')} داد${before('، قبلاً: ', d)}`,
    member_left: (d) => html`از گروه رفت؛ نقش ${d.role('role')} معلق شد`,
    member_returned: (d) => html`به گروه برگشت، با نقش ${d.role('role')}`,
    role_removed: (d) => html`نقش ${d.role('old')} را از ${d.text('name')} گرفت`,
    join_link_made: (d) => html`برای نقش ${d.role('new')} لینک عضویت ساخت`,
    join_link_used: (d) =>
      html`با لینک ${d.text('name')} عضو شد، با نقش ${d.role('new')}${before('، قبلاً: ', d)}`,
    limits_changed: (d) => html`محدودیت‌ها را تغییر داد: ${d.limits()}`,
    line_rule_changed: (d) => html`قاعده‌های خط ${d.code('line')} را تغییر داد: ${d.limits()}`,
    time_zone_changed: (d) => html`منطقهٔ زمانی گفتگو را ${d.code('new')} گذاشت`,
    alerts_place_added: (d) => html`هشدارها را برای ${place(d, 'همین گفتگو')} روشن کرد`,
    alerts_place_changed: (d) => html`هشدارهای ${place(d, 'همین گفتگو')} را تغییر داد`,
    alerts_place_removed: (d) => html`هشدارها را برای ${place(d, 'همین گفتگو')} خاموش کرد`,
    alert_threshold_set: (d) => html`حد هشدار ${d.alert()} را تعیین کرد${tail(d.number('threshold'), '')}`,
    alert_muted: (d) => html`هشدار ${d.alert()} را بی‌صدا کرد`,
    alert_unmuted: (d) => html`هشدار ${d.alert()} را از حالت بی‌صدا درآورد`,
    alert_acked: (d) => html`پیگیری یک هشدار را به عهده گرفت: ${d.alert()}`,
    user_register_called: (d) => html`درخواست ثبت کاربر «${d.text('userName')}» را به پنل پیامک فرستاد`,
    user_registered: (d) => html`کاربر «${d.text('userName')}» را در پنل پیامک ثبت کرد`,
    user_register_refused: (d) => html`پنل پیامک ثبت «${d.text('userName')}» را رد کرد`,
    user_register_unknown: (d) => html`معلوم نیست پنل پیامک «${d.text('userName')}» را ثبت کرده است یا نه`,
    user_register_unsent: (d) => html`درخواست ثبت «${d.text('userName')}» به پنل پیامک فرستاده نشد`,
    book_created: (d) => html`دفترچهٔ «${d.text('title')}» را ساخت${numbersFa(d)}`,
    book_numbers_added: (d) => html`به دفترچهٔ «${d.text('title')}» شماره اضافه کرد${numbersFa(d)}`,
    book_numbers_removed: (d) => html`از دفترچهٔ «${d.text('title')}» شماره برداشت${numbersFa(d)}`,
    book_deleted: (d) => html`دفترچهٔ «${d.text('title')}» را حذف کرد${numbersFa(d)}`,
    blacklist_added: (d) =>
      html`به لیست سیاه${d.text('line') === '' ? '' : html` خط ${d.code('line')}`} شماره اضافه کرد${blockedFa(d)}`,
    blacklist_removed: (d) =>
      html`${d.code('number')} را از لیست سیاه${d.text('line') === '' ? '' : html` خط ${d.code('line')}`} برداشت${outcome(OUTCOMES.fa, d)}`,
    template_saved: (d) => html`متن آمادهٔ «${d.text('name')}» را ذخیره کرد`,
    template_replaced: (d) => html`متن آمادهٔ «${d.text('name')}» را عوض کرد`,
    template_answers_on: (d) => html`متن آمادهٔ «${d.text('name')}» را به دکمه‌های پاسخ اضافه کرد`,
    template_answers_off: (d) => html`متن آمادهٔ «${d.text('name')}» را از دکمه‌های پاسخ برداشت`,
    template_deleted: (d) => html`متن آمادهٔ «${d.text('name')}» را حذف کرد`,
    people_kept: (d) => html`مخاطبان یک فایل را با برچسب #${d.text('name')} ثبت کرد${numbersFa(d)}`,
    people_dropped: (d) => html`مخاطبان برچسب #${d.text('name')} را حذف کرد${numbersFa(d)}`,
    person_kept: (d) => html`اطلاعات مخاطب ${d.code('number')} را عوض کرد`,
    person_dropped: (d) => html`${d.code('number')} را از مخاطبان حذف کرد`,
    inbox_rule_added: (d) =>
      html`قاعدهٔ «${d.text('words')}» را برای پیام‌های دریافتی اضافه کرد${d.flag('answers') ? '، با پاسخ خودکار' : ''}`,
    inbox_rule_deleted: (d) => html`قاعدهٔ «${d.text('words')}» را از پیام‌های دریافتی برداشت`,
    desk_hours_set: () => html`ساعت کاری پاسخ‌گویی را تعیین کرد`,
    desk_hours_off: () => html`ساعت کاری پاسخ‌گویی را برداشت`,
    closed_answer_set: () => html`پاسخ خودکار خارج از ساعت کاری را تعیین کرد`,
    closed_answer_off: () => html`پاسخ خودکار خارج از ساعت کاری را خاموش کرد`,
    inbox_numbers_whole: () => html`نمایش کامل شماره را در کارت پیام‌های دریافتی روشن کرد`,
    inbox_numbers_masked: () => html`نمایش کامل شماره را در کارت پیام‌های دریافتی خاموش کرد`,
    inbox_marked_on: () => html`علامت خوانده‌شده در پنل پیامک را روشن کرد`,
    inbox_marked_off: () => html`علامت خوانده‌شده در پنل پیامک را خاموش کرد`,
    optout_on: (d) => html`لغو دریافت با ۱۱ و ۱۲ را برای خط ${d.code('line')} روشن کرد`,
    optout_off: (d) => html`لغو دریافت با ۱۱ و ۱۲ را برای خط ${d.code('line')} خاموش کرد`,
    opted_out: (d) =>
      html`${d.code('number')} با پاسخ ۱۱ به خط ${d.code('line')} لغو دریافت کرد${d.is('outcome', 'unknown') ? '؛ معلوم نیست در لیست سیاه هست یا نه' : ''}`,
    opted_in: (d) =>
      html`${d.code('number')} با پاسخ ۱۲ به خط ${d.code('line')} دوباره دریافت را خواست${d.is('outcome', 'unknown') ? '؛ معلوم نیست از لیست سیاه برداشته شده است یا نه' : ''}`,
    inbox_received: (d) =>
      html`پیام‌های نخواندهٔ ${d.text('line') === '' ? 'همهٔ خط‌ها' : html`خط ${d.code('line')}`} را گرفت (با این کار خوانده‌شده می‌شوند)${tail(d.number('count'), '')}${outcome(OUTCOMES.fa, d)}`,
  },
});

const STOPPED = {
  en: {
    credit: 'not enough credit',
    account: 'the account is not active',
    person: 'by a person',
    halted: 'all sends of the chat were switched off',
    held: 'the bot’s administrator stopped all sends',
    restored: 'it was already stopped in the backup that the bot’s data was restored from',
    earlier_unknown: 'an earlier, equal message has an unknown outcome',
    not_connected: 'its account was no longer linked',
    unreachable: 'the gateway could not be reached',
  },
  fa: {
    credit: 'اعتبار کافی نبود',
    account: 'حساب فعال نبود',
    person: 'توسط یک نفر',
    halted: 'همهٔ ارسال‌های گفتگو خاموش شد',
    held: 'مدیر ربات همهٔ ارسال‌ها را متوقف کرد',
    restored: 'در نسخهٔ پشتیبانی که داده‌های ربات از آن برگشت، متوقف بود',
    earlier_unknown: 'نتیجهٔ پیام یکسان قبلی نامعلوم بود',
    not_connected: 'حسابش دیگر وصل نبود',
    unreachable: 'پنل پیامک در دسترس نبود',
  },
} as const satisfies Record<Locale, Readonly<Record<StopReason, string>>>;

const MISSED = {
  en: {
    late: 'its turn came too late',
    window: 'outside the chat’s sending hours',
    line_window: 'outside the hours of its line',
    cap: 'over the day’s cap',
    halted: 'every send was switched off',
    held: 'the bot’s administrator stopped all sends',
    restored: 'it was waiting in the backup that the bot’s data was restored from',
    not_connected: 'its account was no longer linked',
    role: 'the person who confirmed it had lost the role for it',
    approval: 'it needs a second person by now',
    words: 'it says something that needs a second person by now',
    paused: 'it was paused for lack of credit',
    book: 'its phonebook held other numbers than were confirmed',
    book_empty: 'its phonebook was empty',
    answered: 'some of its recipients had been sent to the first time',
  },
  fa: {
    late: 'نوبتش خیلی دیر شد',
    window: 'بیرون از ساعت‌های ارسال گفتگو',
    line_window: 'بیرون از ساعت‌های خطش',
    cap: 'بیش از سقف روزانه',
    halted: 'همهٔ ارسال‌ها خاموش بود',
    held: 'مدیر ربات همهٔ ارسال‌ها را متوقف کرده بود',
    restored: 'در نسخهٔ پشتیبانی که داده‌های ربات از آن برگشت، منتظر بود',
    not_connected: 'حسابش دیگر وصل نبود',
    role: 'کسی که تأییدش کرد دیگر اجازهٔ ارسال نداشت',
    approval: 'الان تأیید نفر دوم می‌خواهد',
    words: 'چیزی در متنش الان تأیید نفر دوم می‌خواهد',
    paused: 'به خاطر کمبود اعتبار روی مکث بود',
    book: 'شماره‌های دفترچه‌اش عوض شده بود',
    book_empty: 'دفترچه‌اش خالی بود',
    answered: 'بار اول برای بعضی از گیرنده‌هایش ارسال شده بود',
  },
} as const satisfies Record<Locale, Readonly<Record<MissReason, string>>>;

const OUTCOMES = {
  en: { unknown: 'no clear answer: it may have happened', not_there: 'it was not there' },
  fa: { unknown: 'پاسخ روشنی نیامد: شاید انجام شده باشد', not_there: 'آنجا نبود' },
};

/** The role that somebody had before. */
function before(words: string, d: Told): string {
  return d.role('old') === '' ? '' : `${words}${d.role('old')}`;
}

function why(reasons: Readonly<Record<string, string>>, d: Told): string {
  const named = Object.entries(reasons).find(([name]) => d.is('reason', name));
  return named === undefined ? '' : `: ${named[1]}`;
}

/** What is not known is told beside what was done. */
function numbersEn(d: Told): string {
  return changed(d, d.number('done') === '1' ? 'number' : 'numbers', 'not known', OUTCOMES.en.unknown);
}

function numbersFa(d: Told): string {
  return changed(d, 'شماره', 'نامعلوم', OUTCOMES.fa.unknown);
}

function changed(d: Told, noun: string, notKnown: string, nothingKnown: string): string {
  const [done, unknown] = [tail(d.number('done'), noun), tail(d.number('unknown'), notKnown)];
  return done === '' && unknown !== '' ? ` · ${nothingKnown}` : `${done}${unknown}`;
}

function blockedEn(d: Told): string {
  return blocked(d, ['added', 'already there', 'not added', 'unclear', 'not known']);
}

function blockedFa(d: Told): string {
  return blocked(d, ['اضافه شد', 'از قبل بود', 'اضافه نشد', 'نامشخص', 'نامعلوم']);
}

function blocked(
  d: Told,
  [added, already, notAdded, unclear, unknown]: readonly [string, string, string, string, string],
): string {
  return [
    tail(d.number('added'), added),
    tail(d.number('already'), already),
    tail(d.number('not_added'), notAdded),
    tail(d.number('worded'), unclear),
    tail(d.number('unknown'), unknown),
  ].join('');
}

/** Nothing for what is not told, or none. */
function tail(count: string | null, noun: string, forOne = noun): string {
  if (count === null || count === '0' || count === '۰') return '';
  return ` · ${`${count} ${count === '1' ? forOne : noun}`.trim()}`;
}

function outcome(words: Readonly<Record<string, string>>, d: Told): string {
  const named = Object.entries(words).find(([name]) => d.is('outcome', name));
  return named === undefined ? '' : ` · ${named[1]}`;
}

/** Which card it was; entries of an earlier time do not say. */
function card(d: Told): Html | '' {
  const code = d.code('code', '#');
  return code.markup === '' ? '' : html` · ${code}`;
}

/** The place that alerts go to; the chat itself has no name of its own there. */
function place(d: Told, own: string): Html {
  return html`${d.text('title') === '' ? own : `«${d.text('title')}»`}`;
}
