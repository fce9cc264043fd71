import type { CallToolResult } from '@modelcontextprotocol/client';
import type { FrameLocator, Page } from 'playwright-core';

/** What an app asked its host for. */
export interface AskedOfHost {
  /** What it wants to say in the conversation (`ui/message`). */
  readonly messages: readonly unknown[];
  /** What the model is to know from now on (`ui/update-model-context`). */
  readonly modelContexts: readonly unknown[];
  /** Pages that it wants to be opened (`ui/open-link`). */
  readonly links: readonly string[];
  /** What it logged (`notifications/message`). */
  readonly logs: readonly unknown[];
}

/** What keeps an app open. */
export interface AppHolder {
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
  /** The page of the host around it, for screenshots and the like. */
  readonly page: Page;

  constructor(private readonly holder: AppHolder) {
    this.page = holder.page;
    this.frame = holder.page.frameLocator('iframe').frameLocator('iframe');
  }

  /** What the tool gave; absent if its call failed. */
  get result(): CallToolResult | undefined {
    return this.holder.result;
  }

  /** What the app asked its host for. */
  get asked(): AskedOfHost {
    return this.holder.asked;
  }

  /** What the browser blocked since the app did not declare it, in the browser's words. */
  get blocked(): readonly string[] {
    return this.holder.blocked;
  }

  /** What the scripts of the app threw. */
  get errors(): readonly string[] {
    return this.holder.errors;
  }

  /** Clicks what has this accessible name: a button, a link, a box to tick. */
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

  /** Waits until the app shows a text. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor();
  }

  /** Gives all of the text that the app shows. */
  text(): Promise<string> {
    return this.frame.locator('body').innerText();
  }

  /** Tells the app that it will close, waits until it is ready, and closes it (`ui/resource-teardown`). */
  async close(): Promise<void> {
    try {
      await this.holder.tearDown();
    } finally {
      await this.holder.close();
    }
  }
}
