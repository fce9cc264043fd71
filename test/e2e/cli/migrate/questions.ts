import type { Questions } from './examine-server.js';

/** For `notes-2`. */
export const NOTES: Questions = {
  calls: [
    ['greet', { name: 'Ada' }],
    ['greet', {}],
    ['search_notes', { word: 'milk' }],
    ['search_notes', {}, true],
    ['read_note', { id: 'call' }],
    ['read_note', { id: 'none' }],
    ['tenant', {}],
    ['client', {}],
    ['add_minutes', { hour: 9, minutes: 30 }],
  ],
  resources: ['notes://index', 'notes://notes/milk'],
  prompts: [['summarize', { tone: 'merry' }]],
};

/** For `stations-2`, at its first server. */
export const STATIONS: Questions = {
  calls: [
    ['measure', { station: 'north' }],
    ['measure', { station: 'nowhere' }, true],
  ],
  resources: ['stations://files/a/b.txt'],
  prompts: [],
};

/** For `stations-2`, at its second server. */
export const STAFF: Questions = { calls: [['list_staff', {}]], resources: [], prompts: [] };

/** For `desk-1`. */
export const DESK: Questions = {
  calls: [
    ['find-tickets', { word: 'Printer' }],
    ['who-asks', {}],
    ['close-desk', {}],
    ['add-minutes', { hour: 9, minutes: 30 }],
  ],
  resources: ['desk://hours', 'desk://tickets/T1'],
  prompts: [['answer', { title: 'Mouse' }]],
};
