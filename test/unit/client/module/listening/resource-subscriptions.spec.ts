import { describe, expect, it } from '@jest/globals';
import { isWithinResource } from '../../../../../lib/client/module/listening/resource-subscriptions.js';

describe('isWithinResource (MCP schema, "sub-resource")', () => {
  it.each([
    ['desk://tickets/1', 'desk://tickets/1'],
    ['desk://tickets/1', 'desk://tickets/1/notes'],
    ['desk://tickets/1', 'desk://tickets/1?view=short'],
    ['desk://tickets/1', 'desk://tickets/1#subject'],
    ['desk://tickets/', 'desk://tickets/1'],
    ['desk://', 'desk://tickets'],
    ['desk://tickets?open', 'desk://tickets?open#first'],
  ])('has in %s: %s (CLI-18)', (resource, uri) => {
    expect(isWithinResource(resource, uri)).toBe(true);
  });

  it.each([
    ['desk://tickets/1', 'desk://tickets/12'],
    ['desk://tickets/1', 'desk://tickets/1.html'],
    ['desk://tickets/1', 'desk://tickets/2'],
    ['desk://tickets/1', 'desk://tickets'],
    ['desk://tickets/', 'desk://tickets'],
    ['desk://tickets?id=1', 'desk://tickets?id=12'],
    ['desk://Tickets', 'desk://tickets'],
  ])('does not have in %s: %s (CLI-18)', (resource, uri) => {
    expect(isWithinResource(resource, uri)).toBe(false);
  });
});
