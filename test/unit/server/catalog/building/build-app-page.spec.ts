import { describe, expect, it } from '@jest/globals';
import { buildAppMeta } from '../../../../../lib/server/catalog/building/build-app-page.js';

describe('buildAppMeta', () => {
  it.each([
    [['camera', 'microphone'] as const, { camera: {}, microphone: {} }],
    [
      { camera: true, geolocation: {} },
      { camera: {}, geolocation: {} },
    ],
    [{ camera: false, microphone: true }, { microphone: {} }],
  ])('asks for the permissions of %j, and for no other (XTN-02)', (permissions, asked) => {
    expect(buildAppMeta({ permissions })).toEqual({ permissions: asked });
  });

  it.each([[[]], [{}], [{ camera: false }], [{ camera: false, microphone: false }]])(
    'asks for no permission by %j (XTN-02)',
    (permissions) => {
      expect(buildAppMeta({ permissions })).toEqual({});
    },
  );

  it('says what else a page needs, and only that (XTN-02)', () => {
    const csp = { connectDomains: ['https://api.example.com'] };
    expect(buildAppMeta({ csp, domain: 'desk', prefersBorder: false })).toEqual({
      csp,
      domain: 'desk',
      prefersBorder: false,
    });
    expect(buildAppMeta({})).toEqual({});
  });
});
