import { AutomationsApi, Configuration, ContactImportsApi, ContactPropertiesApi } from './generated';
import type { ContactImport } from './generated';
import { FetchError, ProblemFromJSON, ProblemName, ResponseError } from './generated';
import { drive, Failed, fetchFailed } from './driver';

async function failureOf(error: unknown): Promise<Failed | undefined> {
  if (error instanceof FetchError) return new Failed(0, 'network');
  if (!(error instanceof ResponseError)) return fetchFailed(error);
  const { response } = error;
  const problem = await response.json().then(ProblemFromJSON, () => undefined);
  return Failed.response(response.status, problem);
}

const contractNames = ({ createdAt: created_at, completedAt: completed_at, ...others }: ContactImport) => ({
  ...others,
  created_at,
  completed_at,
});

void drive<ProblemName>(
  (basePath, accessToken) => {
    const configuration = new Configuration({ basePath, accessToken });
    const automations = new AutomationsApi(configuration);
    const contactProperties = new ContactPropertiesApi(configuration);
    const contactImports = new ContactImportsApi(configuration);
    return {
      automations: async (query) => {
        const { hasMore, data } = await automations.listAutomations(query);
        return { has_more: hasMore, data };
      },
      contactProperties: async (query) => {
        const { hasMore, data } = await contactProperties.listContactProperties(query);
        return { has_more: hasMore, data: data.map((it) => ({ id: it.id, fallback_value: it.fallbackValue })) };
      },
      contactImports: async (query) => {
        const { hasMore, data } = await contactImports.listContactImports(query);
        return { has_more: hasMore, data: data.map(contractNames) };
      },
      contactImport: async (id) => contractNames(await contactImports.getContactImport({ id })),
    };
  },
  failureOf,
  { notFound: ProblemName.NotFound, invalidApiKey: ProblemName.InvalidApiKey },
);
