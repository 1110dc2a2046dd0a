using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>A sample of a queue with the rates since the last one.</summary>
/// <param name="Name">The name of the queue's folder.</param>
/// <param name="Time">The time of the sample.</param>
/// <param name="Statistics">The sample.</param>
/// <param name="Messages">Messages a second that producers published.</param>
/// <param name="Bytes">Bytes a second, with headers and padding.</param>
/// <param name="SpaceWaits">Waits of producers for space, a second.</param>
/// <param name="Wakes">Wakes a second.</param>
/// <param name="Committed">Messages a second that each name committed, in the order of the names.</param>
internal sealed record QueueRates(string Name, DateTimeOffset Time, QueueStatistics Statistics, double Messages, double Bytes, double SpaceWaits, double Wakes, IReadOnlyList<double> Committed)
{
    /// <summary>Writes the sample for programs.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("queue"u8, Statistics.Path);
        json.WriteString("time"u8, Time.UtcDateTime);
        json.WriteNumber("messagesPerSecond"u8, Math.Round(Messages, 1));
        json.WriteNumber("bytesPerSecond"u8, Math.Round(Bytes, 1));
        json.WriteNumber("spaceWaitsPerSecond"u8, Math.Round(SpaceWaits, 1));
        json.WriteNumber("wakesPerSecond"u8, Math.Round(Wakes, 1));
        json.WriteNumber("publishedPosition"u8, Statistics.PublishedPosition);
        json.WriteNumber("segments"u8, QueueFacts.SegmentsOf(Statistics));
        json.WriteNumber("bytes"u8, Statistics.Bytes);
        json.WriteNumber("unreadBytes"u8, Statistics.UnreadBytes);
        json.WriteNumber("producersAlive"u8, Statistics.Producers.Count(static producer => producer.IsAlive));
        json.WriteNumber("producersDead"u8, Statistics.Producers.Count(static producer => !producer.IsAlive));
        json.WriteStartArray("names"u8);
        for (var i = 0; i < Statistics.Consumers.Count; i++)
        {
            var name = Statistics.Consumers[i];
            json.WriteStartObject();
            json.WriteString("name"u8, name.Name);
            json.WriteNumber("messagesPerSecond"u8, Math.Round(Committed[i], 1));
            json.WriteNumber("lagBytes"u8, name.LagBytes);
            if (name.OldestUnreadAge is { } age)
            {
                json.WriteNumber("oldestUnreadSeconds"u8, age.TotalSeconds);
            }

            json.WriteNumber("membersAlive"u8, name.Members.Count(static member => member.IsAlive));
            json.WriteNumber("membersDead"u8, name.Members.Count(static member => !member.IsAlive));
            json.WriteNumber("inFlight"u8, InFlightOf(name));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Counts the messages that members of a name have taken and not committed.</summary>
    public static int InFlightOf(ConsumerStatistics name) => name.Members.Count(static member => member.Position is not null);
}
