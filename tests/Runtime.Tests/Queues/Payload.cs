using System.Buffers.Binary;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Payloads that say what they are, so that a test sees a wrong, a damaged and a missing one.</summary>
internal static class Payload
{
    public static byte[] Of(int number, int length)
    {
        var payload = new byte[length];
        for (var i = 0; i < length; i++)
        {
            payload[i] = (byte)((number * 31) + i + 1);
        }

        return payload;
    }

    public static byte[] Of(int number)
    {
        var payload = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(payload, number);
        return payload;
    }

    public static int Number(ReadOnlySpan<byte> payload) => BinaryPrimitives.ReadInt32LittleEndian(payload);

    /// <summary>Publishes the numbers of a range and returns their positions.</summary>
    public static long[] PublishNumbers(MessageProducer producer, int first, int count) =>
        [.. Enumerable.Range(first, count).Select(number => producer.Publish(Of(number)))];

    /// <summary>Takes and commits everything there is.</summary>
    public static List<int> ReadNumbers(MessageConsumer<RawMessage> consumer)
    {
        var numbers = new List<int>();
        while (consumer.TryRead(out var delivery))
        {
            using (delivery)
            {
                numbers.Add(Number(delivery.Message.Bytes));
                delivery.Commit();
            }
        }

        return numbers;
    }
}
