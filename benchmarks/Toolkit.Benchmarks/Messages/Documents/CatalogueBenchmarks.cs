using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>A catalogue of concerts as one message; each concert is looked up by its key, and its id and the length of its name are read; so are all times, prices and areas.</summary>
public class CatalogueBenchmarks : MessageBenchmarks<Catalogue, Protobuf.Catalogue>
{
    private string[] _keys = [];
    private byte[][] _utf8Keys = [];

    [GlobalSetup]
    public override void Setup()
    {
        var catalogue = DocumentData.Catalogue();
        _keys = [.. catalogue.Events!.Keys];
        _utf8Keys = [.. _keys.Select(System.Text.Encoding.UTF8.GetBytes)];
        Setup(catalogue, DocumentProtobuf.Convert(catalogue), DocumentJson.Default.Catalogue);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<CatalogueBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var catalogue = new CatalogueBufferedMessage(message);
        var sum = 0L;
        var events = catalogue.Events;
        foreach (var key in _utf8Keys)
        {
            var concert = events[key];
            sum += concert.Id.GetValueOrDefault() + concert.Name.Length;
        }

        foreach (var performance in catalogue.Performances)
        {
            sum += performance.Start.GetValueOrDefault();
            foreach (var price in performance.Prices)
            {
                sum += price.Amount.GetValueOrDefault();
            }

            foreach (var category in performance.SeatCategories)
            {
                foreach (var area in category.Areas)
                {
                    sum += area.AreaId.GetValueOrDefault();
                }
            }
        }

        return sum;
    }

    protected override long Read(Catalogue document)
    {
        var sum = 0L;
        foreach (var key in _keys)
        {
            var concert = document.Events![key];
            sum += concert.Id.GetValueOrDefault() + System.Text.Encoding.UTF8.GetByteCount(concert.Name ?? "");
        }

        foreach (var performance in document.Performances!)
        {
            sum += performance.Start.GetValueOrDefault();
            foreach (var price in performance.Prices!)
            {
                sum += price.Amount.GetValueOrDefault();
            }

            foreach (var category in performance.SeatCategories!)
            {
                foreach (var area in category.Areas!)
                {
                    sum += area.AreaId.GetValueOrDefault();
                }
            }
        }

        return sum;
    }

    protected override long Read(Protobuf.Catalogue document)
    {
        var sum = 0L;
        foreach (var key in _keys)
        {
            var concert = document.Events[key];
            sum += concert.Id + System.Text.Encoding.UTF8.GetByteCount(concert.Name);
        }

        foreach (var performance in document.Performances)
        {
            sum += performance.Start;
            foreach (var price in performance.Prices)
            {
                sum += price.Amount;
            }

            foreach (var category in performance.SeatCategories)
            {
                foreach (var area in category.Areas)
                {
                    sum += area.AreaId;
                }
            }
        }

        return sum;
    }
}
