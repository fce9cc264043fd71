import type { CallToolResult } from '@modelcontextprotocol/client';
import type { FrameLocator, Page } from 'playwright-core';

/** The requests of an app to its host. */
export interface AskedOfHost {
  /** Messages for the conversation (`ui/message`). */
  readonly messages: readonly unknown[];
  /** Facts for the model (`ui/update-model-context`). */
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

/** An app that a browser shows, as its user sees it. */
export class OpenedApp {
  /** The frame of the app, for everything that Playwright can do in a frame. */
  readonly frame: FrameLocator;
  /** The page of the host around the app, for example for screenshots. */
  readonly page: Page;

  constructor(private readonly holder: OpenedAppParts) {
    this.page = holder.page;
    this.frame = holder.page.frameLocator('iframe').frameLocator('iframe');
  }

  /** The result of the tool; absent if the call failed. */
  get result(): CallToolResult | undefined {
    return this.holder.result;
  }

  /** The requests of the app to its host. */
  get asked(): AskedOfHost {
    return this.holder.asked;
  }

  /** Messages of the browser about what it blocked because the app did not declare it. */
  get blocked(): readonly string[] {
    return this.holder.blocked;
  }

  /** The errors that the scripts of the app threw. */
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
