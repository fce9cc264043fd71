import type { CallToolResult } from '@modelcontextprotocol/client';
import type { FrameLocator, Page } from 'playwright-core';

/** An app's requests to its host. */
export interface AskedOfHost {
  /** Messages for the conversation (`ui/message`). */
  readonly messages: readonly unknown[];
  /** Context for the model (`ui/update-model-context`). */
  readonly modelContexts: readonly unknown[];
  /** Pages to open (`ui/open-link`). */
  readonly links: readonly string[];
  /** Log entries (`notifications/message`). */
  readonly logs: readonly unknown[];
}

/** The parts of an open app. */
export interface OpenedAppParts {
  readonly page: Page;
  readonly result: CallToolResult | undefined;
  readonly asked: AskedOfHost;
  readonly blocked: readonly string[];
  readonly errors: readonly string[];
  tearDown(): Promise<void>;
  close(): Promise<void>;
}

/** An app in a browser, with the actions of its user. */
export class OpenedApp {
  /** The app's frame, for all other Playwright actions. */
  readonly frame: FrameLocator;
  /** The host page around the app, for example for screenshots. */
  readonly page: Page;

  constructor(private readonly holder: OpenedAppParts) {
    this.page = holder.page;
    this.frame = holder.page.frameLocator('iframe').frameLocator('iframe');
  }

  /** The tool's result; absent if the call failed. */
  get result(): CallToolResult | undefined {
    return this.holder.result;
  }

  /** The app's requests to its host. */
  get asked(): AskedOfHost {
    return this.holder.asked;
  }

  /** The browser's messages about requests that it blocked because the app did not declare them. */
  get blocked(): readonly string[] {
    return this.holder.blocked;
  }

  /** The errors that the app's scripts threw. */
  get errors(): readonly string[] {
    return this.holder.errors;
  }

  /** Clicks the button, link or checkbox with this accessible name. */
  async click(name: string): Promise<void> {
    const { frame } = this;
    const roles = ['button', 'link', 'checkbox', 'radio', 'tab', 'menuitem'] as const;
    const [first, ...others] = roles.map((role) => frame.getByRole(role, { name, exact: true }));
    await others
      .reduce((any, one) => any.or(one), first ?? frame.getByText(name))
      .first()
      .click();
  }

  /** Fills the field with this label. */
  async fill(label: string, value: string): Promise<void> {
    await this.frame.getByLabel(label).fill(value);
  }

  /** Waits until the app shows a string. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor();
  }

  /** Returns everything that the app shows. */
  text(): Promise<string> {
    return this.frame.locator('body').innerText();
  }

  /** Notifies the app that it will close (`ui/resource-teardown`), waits until it is ready, and closes it. */
  async close(): Promise<void> {
    try {
      await this.holder.tearDown();
    } finally {
      await this.holder.close();
    }
  }
}
