using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Consumer names and participants of a queue for programs.</summary>
internal static class ConsumerNameJson
{
    /// <summary>Writes a name as an object.</summary>
    public static void Write(Utf8JsonWriter json, ConsumerStatistics name)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, name.Name);
        json.WriteString("kind"u8, name.IsGroup ? "group"u8 : "exclusive"u8);
        json.WriteNumber("position"u8, name.Position);
        json.WriteNumber("lagBytes"u8, name.LagBytes);
        if (name.OldestUnreadAge is { } age)
        {
            json.WriteNumber("oldestUnreadSeconds"u8, age.TotalSeconds);
        }

        WriteParticipants(json, "members", name.Members);
        json.WriteEndObject();
    }

    /// <summary>Writes participants as an array.</summary>
    public static void WriteParticipants(Utf8JsonWriter json, string property, IReadOnlyList<ParticipantStatistics> participants)
    {
        json.WriteStartArray(property);
        foreach (var participant in participants)
        {
            json.WriteStartObject();
            json.WriteNumber("slot"u8, participant.Slot);
            json.WriteNumber("processId"u8, participant.ProcessId);
            json.WriteString("processStart"u8, participant.ProcessStart.UtcDateTime);
            json.WriteBoolean("alive"u8, participant.IsAlive);
            json.WriteNumber("messages"u8, participant.Messages);
            json.WriteNumber("bytes"u8, participant.Bytes);
            if (participant.Position is { } position)
            {
                json.WriteNumber("position"u8, position);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
