/** A virtual authenticator of Chromium: a person with passkeys in a page. */
import type { CDPSession, Page } from 'playwright-core';

export interface Authenticator {
  /** Whether the person shows who they are when asked. */
  readonly verify: (isVerified: boolean) => Promise<unknown>;
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}
