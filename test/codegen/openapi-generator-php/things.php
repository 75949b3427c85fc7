<?php
// The seven things, with the client that openapi-generator makes for PHP.
declare(strict_types=1);

use GuzzleHttp\Client;
use OpenAPI\Client\Api\AutomationsApi;
use OpenAPI\Client\Api\ContactImportsApi;
use OpenAPI\Client\Api\ContactPropertiesApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\AutomationStatus;
use OpenAPI\Client\Model\Problem;
use OpenAPI\Client\Model\ProblemName;

require 'GuzzleHttp/autoload.php';
// As its composer.json says.
spl_autoload_register(static function (string $class): void {
    require 'client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
});
error_reporting(E_ALL);
set_error_handler(static fn(int $level, string $text) => throw new ErrorException($text, 0, $level));

function connect(string $api, string $key): object
{
    $configuration = (new Configuration())->setHost(getenv('ROLLCALL_URL'))->setAccessToken($key);
    return new $api(new Client(), $configuration);
}

function check(string $what, mixed $got, mixed $want): void
{
    if ($got !== $want) {
        throw new UnexpectedValueException("$what: " . json_encode($got) . ', not ' . json_encode($want));
    }
}

function walk(AutomationsApi $api, ?string $status): int
{
    $ids = [];
    do {
        $page = $api->listAutomations(100, $ids === [] ? null : end($ids), null, $status);
        foreach ($page->getData() as $it) {
            $ids[] = $it->getId();
        }
    } while ($page->getHasMore());
    return count(array_unique($ids));
}

function checkProblem(string $key, string $id, int $status, string $name): void
{
    try {
        $found = connect(ContactImportsApi::class, $key)->getContactImport($id);
    } catch (ApiException $error) {
        $problem = $error->getResponseObject();
        check('problem', $problem::class, Problem::class);
        check($name, [$error->getCode(), $problem->getStatusCode(), $problem->getName()], [$status, $status, $name]);
        return;
    }
    throw new UnexpectedValueException("an answer, though $name was to come: $found");
}

$want = json_decode(file_get_contents(getenv('EXPECTED')), true);
$key = getenv('ROLLCALL_API_KEY');
$automations = connect(AutomationsApi::class, $key);
check('the first automation', $automations->listAutomations()->getData()[0]->getId(), $want['firstAutomationId']);
check('automations', walk($automations, null), $want['automations']);
check('enabled automations', walk($automations, AutomationStatus::ENABLED), $want['enabled']);

$found = connect(ContactImportsApi::class, $key)->getContactImport($want['importId']);
check('contact import', [$found->getCounts()->getCreated(), $found->getCompletedAt()], [$want['importCreated'], null]);

$properties = connect(ContactPropertiesApi::class, $key)->listContactProperties()->getData();
check('fallback values', array_map(static fn($it) => $it->getFallbackValue(), $properties), $want['fallbackValues']);

checkProblem($key, '00000000-0000-4000-8000-000000000000', 404, ProblemName::NOT_FOUND);
checkProblem('wrong', $want['importId'], 401, ProblemName::INVALID_API_KEY);
