import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { findArgumentsType } from '../../../../../lib/server/catalog/building/method-parameters.js';
import { PARAMETER_METADATA } from '../../../../../lib/server/settings/mcp.constants.js';

class Desk {
  show(caller: string): string {
    return caller;
  }
}

function findWith(key: string, data?: string): object {
  Reflect.defineMetadata(PARAMETER_METADATA, { [key]: { index: 0, data } }, Desk, 'show');
  return findArgumentsType({ classRef: Desk, methodName: 'show' });
}

describe('findArgumentsType', () => {
  it('sees a parameter that takes a part of the arguments', () => {
    expect(findWith('3:0', 'title')).toEqual({ undescribed: 'parts' });
  });

  it('sees a parameter that takes all of them', () => {
    expect(findWith('3:0')).toEqual({ undescribed: 'all', isUntyped: true });
  });

  it.each(['3xyZ', '4-', '5'])(
    'takes a decorator of the application for none, whose random key begins with "%s"',
    (key) => {
      expect(findWith(`${key}__customRouteArgs__:0`, 'sub')).toEqual({});
      expect(findWith(`${key}__customRouteArgs__:0`)).toEqual({});
    },
  );
});
