import type { Location } from '@grammyjs/types';
import { badRequest } from '../../errors.ts';
import type { Params } from '../params.ts';
import type { MessageContent } from '../../types.ts';

/** Where a place is. Throws Telegram's refusals. */
export function readLocation(params: Params): Location {
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => {
    const text = params.str(name).trim();
    if (text === '') throw badRequest(`${name} is empty`);
    return Number(text) || 0;
  });
  const accuracy = Number(params.str('horizontal_accuracy')) || 0;
  if (
    latitude === undefined ||
    longitude === undefined ||
    Math.abs(latitude) > 90 ||
    Math.abs(longitude) > 180
  )
    throw badRequest('invalid location specified');
  return { latitude, longitude, ...(accuracy > 0 && { horizontal_accuracy: accuracy }) };
}

/** A venue, and its place for clients of before venues. Throws Telegram's refusals. */
export function venueContent(params: Params): MessageContent {
  const location = readLocation(params);
  const venue = {
    location,
    title: params.str('title'),
    address: params.str('address'),
    ...texts(params, 'foursquare_id', 'foursquare_type', 'google_place_id', 'google_place_type'),
  };
  return { venue, location };
}

/** A card of somebody. Throws Telegram's refusals. */
export function contactContent(params: Params): MessageContent {
  const contact = {
    phone_number: params.required('phone_number'),
    first_name: params.required('first_name'),
    ...texts(params, 'last_name', 'vcard'),
  };
  return { contact };
}

function texts(params: Params, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (params.str(name) === '' ? [] : [[name, params.str(name)]])),
  );
}

const FOREVER = 0x7f_ff_ff_ff;

/** What is live about it. An edit says how long, or leaves that as it is. */
export function readLive(params: Params, forEdit = false): Partial<Location> {
  const period = params.int('live_period', 0);
  const heading = params.int('heading', 0);
  const radius = params.int('proximity_alert_radius', 0);
  if (period === 0 && !forEdit) return {};
  if (period !== 0 && period !== FOREVER && (period < 60 || period > 86_400)) {
    throw badRequest('wrong live location period specified');
  }
  if (heading < 0 || heading > 360) throw badRequest('wrong live location heading specified');
  if (radius < 0 || radius > 100_000)
    throw badRequest('wrong live location proximity alert radius specified');
  return {
    ...(period > 0 && { live_period: period }),
    ...(heading > 0 && { heading }),
    ...(radius > 0 && { proximity_alert_radius: radius }),
  };
}
