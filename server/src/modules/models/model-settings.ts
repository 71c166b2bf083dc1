import { createHash } from 'node:crypto';
import { modelId, type ProviderSettings, type Structured } from '@normtrace/engine';
import type { ModelConfiguration } from '../../platform/configuration/configuration.js';

/** The settings as the engine's providers take them. */
export const providerSettings = (
  model: ModelConfiguration,
  structured: Structured = strictest(model),
): ProviderSettings => ({
  provider: model.provider,
  baseUrl: model.baseUrl,
  model: model.name,
  criticModel: model.criticName,
  apiKey: model.apiKey,
  contextTokens: model.contextTokens,
  structured,
  seed: model.seed,
  timeoutMilliseconds: model.timeoutSeconds * 1_000,
  attempts: model.attempts,
  concurrency: model.concurrency,
});

const strictest = ({ structured }: ModelConfiguration): Structured =>
  structured === 'auto' ? 'json_schema' : structured;

export const hostOfModel = ({ baseUrl }: Pick<ModelConfiguration, 'baseUrl'>): string =>
  new URL(baseUrl).host;

/** Of everything that a probe depends on, the key included: with another one another look is needed. */
export const settingsHash = (model: ModelConfiguration): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[model.provider, model.baseUrl, model.name, model.criticName ?? null, model.apiKey ?? null],
        ...[model.contextTokens, model.structured],
      ]),
    )
    .digest();

/** What tokens cost in the unit that budgets are counted in: money with prices, else the tokens themselves. */
export const costOf = (
  { price }: Pick<ModelConfiguration, 'price'>,
  { input, output }: { readonly input: number; readonly output: number },
): number => (price ? (input * price.input + output * price.output) / 1_000_000 : input + output);

/** `provider:host:model`. */
export const idOfModel = (model: ModelConfiguration): string => modelId(providerSettings(model));
