using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.CrossProcess.Dictionaries;

/// <summary>Processes that look up what another one wrote.</summary>
internal static class DictionaryParts
{
    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web);

    public static string NameOf(int number) => $"number {number.ToString(CultureInfo.InvariantCulture)}";

    public static Guid IdOf(int number) => new(number, 7, 9, [1, 2, 3, 4, 5, 6, 7, 8]);

    public static Catalogue ReadCatalogue(string path) => JsonSerializer.Deserialize<Catalogue>(File.ReadAllBytes(path), Options)!;

    /// <summary>Looks up so many entries of the next message and says how many were right: <c>queue count</c>.</summary>
    public static void LookUp(string[] arguments)
    {
        var count = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        using var queue = MessageQueue.Open(arguments[0]);
        using var consumer = queue.OpenConsumer<IndexBufferedMessage>("reader");
        consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
        using (delivery)
        {
            var index = delivery.Message;
            var right = 0;
            for (var i = 0; i < count; i++)
            {
                var isRight = index.ByName.TryGetValue(NameOf(i), out var number)
                    && number == i
                    && index.ById[IdOf(i)] == NameOf(i)
                    && index.Names.Contains(NameOf(i))
                    && !index.ByName.ContainsKey(NameOf(-1 - i));
                right += isRight ? 1 : 0;
            }

            Console.Out.WriteLine($"{right} of {index.ByName.Count}");
        }
    }

    /// <summary>Compares the next message in place with a catalogue and says how many fields are equal: <c>queue file</c>.</summary>
    public static void CompareCatalogue(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        using var consumer = queue.OpenConsumer<CatalogueBufferedMessage>("reader");
        consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
        using (delivery)
        {
            var comparison = new CatalogueComparison();
            comparison.Compare(ReadCatalogue(arguments[1]), delivery.Message);
            Console.Out.WriteLine($"{comparison.Fields} fields");
        }
    }
}
