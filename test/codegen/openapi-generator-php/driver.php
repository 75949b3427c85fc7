<?php
// The driver of the client that openapi-generator makes for PHP: it runs one task of `rollcall examine`.
declare(strict_types=1);

use GuzzleHttp\Client;
use OpenAPI\Client\Api\AutomationsApi;
use OpenAPI\Client\Api\ContactImportsApi;
use OpenAPI\Client\Api\ContactPropertiesApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\Problem;

require 'GuzzleHttp/autoload.php';
// As its composer.json says.
spl_autoload_register(static function (string $class): void {
    require 'client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
});
error_reporting(E_ALL);
set_error_handler(static fn(int $level, string $text) => throw new ErrorException($text, 0, $level));

/** An error as the driver prints it. */
final class Failed extends Exception
{
}

function connect(string $api): object
{
    $configuration = (new Configuration())->setHost(getenv('ROLLCALL_BASE_URL'))->setAccessToken(getenv('ROLLCALL_API_KEY'));
    return new $api(new Client(), $configuration);
}

/** @return Failed status 0: nothing was received, or the client does not tell */
function failureOf(Throwable $error): Failed
{
    if ($error instanceof Failed) {
        return $error;
    }
    if (!$error instanceof ApiException) {
        throw $error;
    }
    $status = $error->getCode();
    $problem = $error->getResponseObject();
    if ($problem instanceof Problem && $problem->getStatusCode() === $status) {
        return new Failed("error $status {$problem->getName()}");
    }
    return new Failed($status === 0 ? 'error 0 network' : "error $status unreadable");
}

function show(array $items): void
{
    foreach ($items as $it) {
        echo $it->getId(), "\n";
    }
}

function listAll(callable $list, array $query): void
{
    $isBackward = isset($query['before']);
    $cursor = $query['before'] ?? $query['after'] ?? null;
    while (true) {
        $page = $list($query);
        $items = $page->getData();
        show($items);
        if (!$page->getHasMore()) {
            return;
        }
        $next = $items === [] ? $cursor : ($isBackward ? $items[0] : end($items))->getId();
        // A server that does not move on must not keep the program for ever.
        if ($next === $cursor) {
            throw new Failed('error 200 unreadable');
        }
        $cursor = $query[$isBackward ? 'before' : 'after'] = $next;
    }
}

/** @return array<string, int|string> by the names of the generated parameters */
function queryOf(array $options): array
{
    $query = [];
    foreach (array_chunk($options, 2) as [$name, $value]) {
        $query[ltrim($name, '-')] = $name === '--limit' ? (int) $value : $value;
    }
    return $query;
}

[$task, $what] = [...array_slice($argv, 1, 2), '', ''];
$lists = [
    'automations' => static fn(array $query) => connect(AutomationsApi::class)->listAutomations(...$query),
    'contact-properties' => static fn(array $query) => connect(ContactPropertiesApi::class)->listContactProperties(...$query),
    'contact-imports' => static fn(array $query) => connect(ContactImportsApi::class)->listContactImports(...$query),
];
$query = queryOf(array_slice($argv, 3));
$text = static fn(mixed $it): string => json_encode($it, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
try {
    if ($task === 'list' && isset($lists[$what])) {
        show($lists[$what]($query)->getData());
    } elseif ($task === 'list-all' && isset($lists[$what])) {
        listAll($lists[$what], $query);
    } elseif ($task === 'get') {
        echo $text(connect(ContactImportsApi::class)->getContactImport($what)), "\n";
    } elseif ($task === 'fallback-values') { // A task of the matrix: the values of the contract that have several types.
        foreach ($lists['contact-properties']([])->getData() as $it) {
            echo $text($it->getFallbackValue()), "\n";
        }
    } else {
        echo "unsupported\n";
    }
} catch (Throwable $error) {
    echo failureOf($error)->getMessage(), "\n";
    exit(10);
}
