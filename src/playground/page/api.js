// @ts-check
// The control API.
import * as http from '../../pages/common/http.js';

const ROOT = '/_control/';

/**
 * @param {string} path
 * @param {Record<string, any>} [query]
 */
export function get(path, query) {
  return http.get(ROOT + path, query);
}

/**
 * @param {string} path
 * @param {Record<string, any>} body
 */
export function post(path, body) {
  return http.post(ROOT + path, body);
}

/** @param {FormData} form */
export function upload(form) {
  return http.upload(`${ROOT}upload`, form);
}

/** @param {string} fileId */
export function fileUrl(fileId) {
  return `${ROOT}file?file_id=${encodeURIComponent(fileId)}`;
}

/** The address of the events that a person sees. @param {number} userId */
export function eventsUrl(userId) {
  return `${ROOT}events?user=${userId}`;
}
