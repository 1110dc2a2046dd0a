using System.Globalization;
using System.Text.Json;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>
/// The documents that are measured: <c>citm_catalog.json</c> and <c>access.log</c> of the folder that BUFFEREDMESSAGES_TESTDATA names, or
/// made-up ones of the same shape and about the same size.
/// </summary>
internal static class DocumentData
{
    private const int MadeUpRequests = 10_000;
    private const int MadeUpConcerts = 184;
    private const int MadeUpPerformances = 243;
    private const int Seed = 1;

    public static Catalogue Catalogue() =>
        Find("citm_catalog.json") is { } path
            ? JsonSerializer.Deserialize(File.ReadAllBytes(path), DocumentJson.Default.Catalogue)!
            : MakeCatalogue(new Random(Seed));

    public static AccessLog AccessLog() => new()
    {
        Requests = Find("access.log") is { } path
            ? [.. File.ReadLines(path).Select(Parse).OfType<LogRequest>()]
            : MakeRequests(new Random(Seed)),
    };

    private static string? Find(string file)
    {
        var folder = Environment.GetEnvironmentVariable("BUFFEREDMESSAGES_TESTDATA");
        var path = folder is null ? null : Path.Combine(folder, file);
        return File.Exists(path) ? path : null;
    }

    // client - - [17/May/2015:10:05:03 +0000] "GET /path HTTP/1.1" 200 203023 "referrer" "agent"; lines of another form are left out.
    private static LogRequest? Parse(string line)
    {
        var quoted = line.Split('"');
        var request = quoted.Length == 7 ? quoted[1].Split(' ') : [];
        if (request.Length != 3)
        {
            return null;
        }

        var numbers = quoted[2].Trim().Split(' ');
        var time = line[(line.IndexOf('[', StringComparison.Ordinal) + 1)..line.IndexOf(']', StringComparison.Ordinal)];
        return new LogRequest
        {
            Client = line[..line.IndexOf(' ', StringComparison.Ordinal)],
            Time = DateTimeOffset.ParseExact(time, "dd/MMM/yyyy:HH:mm:ss zzz", CultureInfo.InvariantCulture).ToUnixTimeSeconds(),
            Method = request[0],
            Path = request[1],
            Status = int.Parse(numbers[0], CultureInfo.InvariantCulture),
            Bytes = numbers[1] == "-" ? null : long.Parse(numbers[1], CultureInfo.InvariantCulture),
            Referrer = quoted[3] == "-" ? null : quoted[3],
            UserAgent = quoted[5] == "-" ? null : quoted[5],
        };
    }

    private static List<LogRequest> MakeRequests(Random random) =>
    [
        .. Enumerable.Range(0, MadeUpRequests).Select(i => new LogRequest
        {
            Client = $"{random.Next(256)}.{random.Next(256)}.{random.Next(256)}.{random.Next(256)}",
            Time = 1_431_857_103 + i,
            Method = "GET",
            Path = "/" + Text(random, 40),
            Status = random.Next(10) == 0 ? 404 : 200,
            Bytes = random.Next(20) == 0 ? null : random.Next(200_000),
            Referrer = random.Next(2) == 0 ? null : "http://example.org/" + Text(random, 50),
            UserAgent = Text(random, 100),
        }),
    ];

    private static Catalogue MakeCatalogue(Random random) => new()
    {
        AreaNames = Names(random, 17),
        AudienceSubCategoryNames = Names(random, 1),
        BlockNames = [],
        Events = Enumerable.Range(0, MadeUpConcerts).ToDictionary(
            static i => Number(i),
            i => new Concert { Id = 138_586_341 + i, Name = Text(random, 30), Logo = random.Next(2) == 0 ? null : Text(random, 40), SubTopicIds = Ids(random, 3), TopicIds = Ids(random, 2) }),
        Performances = [.. Enumerable.Range(0, MadeUpPerformances).Select(i => MakePerformance(random, i))],
        SeatCategoryNames = Names(random, 64),
        SubTopicNames = Names(random, 19),
        SubjectNames = [],
        TopicNames = Names(random, 4),
        TopicSubTopics = Enumerable.Range(0, 4).ToDictionary(static i => Number(i), _ => Ids(random, 5)),
        VenueNames = Names(random, 1),
    };

    private static Performance MakePerformance(Random random, int number) => new()
    {
        EventId = 138_586_341 + number,
        Id = 339_887_544 + number,
        Start = 1_372_701_600_000,
        VenueCode = "PLEYEL_PLEYEL",
        Prices = [.. Enumerable.Range(0, 4).Select(_ => new Price { Amount = random.Next(100_000), AudienceSubCategoryId = 337_100_890, SeatCategoryId = random.Next() })],
        SeatCategories =
        [
            .. Enumerable.Range(0, 4).Select(_ => new SeatCategory
            {
                SeatCategoryId = random.Next(),
                Areas = [.. Enumerable.Range(0, 9).Select(_ => new Area { AreaId = random.Next(), BlockIds = [] })],
            }),
        ],
    };

    private static Dictionary<string, string> Names(Random random, int count) => Enumerable.Range(0, count).ToDictionary(static i => Number(i), _ => Text(random, 20));

    private static string Number(int value) => (205_705_993 + value).ToString(CultureInfo.InvariantCulture);

    private static List<long> Ids(Random random, int count) => [.. Enumerable.Range(0, count).Select(_ => (long)random.Next())];

    private static string Text(Random random, int length) => string.Create(length, random, static (text, random) =>
    {
        foreach (ref var c in text)
        {
            c = (char)random.Next('a', 'z' + 1);
        }
    });
}
