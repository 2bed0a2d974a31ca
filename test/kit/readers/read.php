<?php

// genkgo/camt reads every camt file of a folder, validated against its own schemas, and this prints what it read: a line
// of JSON with "file" for each, or "error".

declare(strict_types=1);

use Genkgo\Camt\Config;
use Genkgo\Camt\DTO;
use Genkgo\Camt\DTO\RecordWithBalances;
use Genkgo\Camt\Reader;
use Money\Currencies\ISOCurrencies;
use Money\Formatter\DecimalMoneyFormatter;
use Money\Money;

[, $packages, $folder] = $argv;
require $packages . '/vendor/autoload.php';

$plain = fn (Money $money): string => (new DecimalMoneyFormatter(new ISOCurrencies()))->format($money);
$day = fn (?DateTimeImmutable $date): ?string => $date?->format('Y-m-d');

$party = fn (DTO\RelatedParty $party): array => [
    'as' => (new ReflectionClass($party->getRelatedPartyType()))->getShortName(),
    'name' => $party->getRelatedPartyType()->getName(),
    'account' => $party->getAccount()?->getIdentification(),
];

$entry = fn (DTO\Entry $entry): array => [
    'amount' => $plain($entry->getAmount()),
    'currency' => $entry->getAmount()->getCurrency()->getCode(),
    'status' => $entry->getStatus(),
    'booked' => $day($entry->getBookingDate()),
    'valued' => $day($entry->getValueDate()),
    'reference' => $entry->getReference(),
    'servicerReference' => $entry->getAccountServicerReference(),
    'endToEndId' => $entry->getTransactionDetail()?->getReference()?->getEndToEndId(),
    'message' => $entry->getTransactionDetail()?->getRemittanceInformation()?->getMessage(),
    'returned' => $entry->getTransactionDetail()?->getReturnInformation()?->getCode(),
    'information' => $entry->getAdditionalInfo(),
    'parties' => array_map($party, $entry->getTransactionDetail()?->getRelatedParties() ?? []),
];

$balance = fn (DTO\Balance $balance): array => [
    'type' => $balance->getType(),
    'amount' => $plain($balance->getAmount()),
    'day' => $day($balance->getDate()),
];

$record = fn (DTO\Record $record): array => [
    'id' => $record->getId(),
    'account' => $record->getAccount()->getIdentification(),
    'sequence' => $record->getElectronicSequenceNumber(),
    'legalSequence' => $record->getLegalSequenceNumber(),
    'copy' => $record->getCopyDuplicateIndicator(),
    'information' => $record->getAdditionalInformation(),
    'balances' => $record instanceof RecordWithBalances ? array_map($balance, $record->getBalances()) : [],
    'entries' => array_map($entry, $record->getEntries()),
];

$reader = new Reader(Config::getDefault());
foreach (glob($folder . '/camt.05*.xml') as $file) {
    $line = ['file' => basename($file, '.xml')];
    try {
        $line['read'] = array_map($record, $reader->readFile($file)->getRecords());
    } catch (Throwable $fault) {
        $line['error'] = $fault::class . ': ' . $fault->getMessage();
    }
    echo json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), "\n";
}
