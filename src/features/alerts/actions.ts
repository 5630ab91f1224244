import { z } from 'zod';
import { ALERT_KINDS } from '../../domain/alerts.ts';
import { MUTES } from '../../domain/mute-until.ts';
import { defineAction } from '../../telegram/action.ts';

const DAY_SECONDS = 86_400;
/** An alarm may stand for weeks. */
export const ALARM_SECONDS = 60 * DAY_SECONDS;
const MANAGE = 'alerts.manage';
const kind = z.enum(ALERT_KINDS);
const sinkId = z.uuid();

/** The buttons below alerts, and those of their settings. */
export const alertActions = {
  ack: defineAction({
    name: 'alarm.ack',
    formerly: ['alerts.ack'],
    permission: 'alerts.ack',
    payload: z.object({ alarmId: z.uuid() }),
    ttlSeconds: ALARM_SECONDS,
  }),
  mute: defineAction({
    name: 'alarm.mute',
    formerly: ['alerts.mute'],
    permission: 'alerts.mute',
    payload: z.object({ alarmId: z.uuid(), mute: z.enum(MUTES) }),
    ttlSeconds: ALARM_SECONDS,
  }),
  unmute: defineAction({
    name: 'alarm.unmute',
    formerly: ['alerts.unmute'],
    permission: 'alerts.mute',
    payload: z.object({ kind, alarmId: z.uuid().optional() }),
  }),
  file: defineAction({
    name: 'alerts.file',
    permission: 'inbox.view',
    payload: z.object({ sinkId }),
    reusable: true,
  }),
  list: defineAction({
    name: 'alerts.list',
    permission: MANAGE,
    payload: z.object({}),
    reusable: true,
  }),
  offer: defineAction({
    name: 'alerts.offer',
    permission: MANAGE,
    payload: z.object({}),
    reusable: true,
  }),
  add: defineAction({
    name: 'alerts.add',
    permission: MANAGE,
    payload: z.object({ telegramId: z.int(), title: z.string() }),
  }),
  destination: defineAction({
    name: 'alerts.sink',
    permission: MANAGE,
    payload: z.object({ sinkId }),
    reusable: true,
  }),
  kind: defineAction({
    name: 'alerts.kind',
    permission: MANAGE,
    payload: z.object({ sinkId, kind, on: z.boolean() }),
  }),
  quiet: defineAction({
    name: 'alerts.quiet',
    permission: MANAGE,
    payload: z.object({ sinkId, on: z.boolean() }),
  }),
  topics: defineAction({
    name: 'alerts.topics',
    permission: MANAGE,
    payload: z.object({ sinkId, on: z.boolean() }),
  }),
  lang: defineAction({
    name: 'alerts.lang',
    permission: MANAGE,
    payload: z.object({ sinkId, lang: z.enum(['en', 'fa']) }),
  }),
  remove: defineAction({
    name: 'alerts.remove',
    permission: MANAGE,
    payload: z.object({ sinkId }),
  }),
};
