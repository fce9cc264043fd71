import { OAuthProviderConfig } from '@rekog/mcp-nest';

/** Lets everybody in, as a login for development does. */
class LetInStrategy {
  name = 'let-in';
  success?: (user: unknown) => void;

  authenticate() {
    this.success?.({ profile: { id: 'ada', username: 'ada' }, accessToken: 'none' });
  }
}

export const LetInProvider: OAuthProviderConfig = {
  name: 'let-in',
  strategy: LetInStrategy,
  strategyOptions: () => ({}),
  profileMapper: (profile) => ({ id: profile.id, username: profile.username }),
};
