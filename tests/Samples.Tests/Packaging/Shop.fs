open System
open BufferedMessages
open Messages

[<Struct>]
type Tick = { Id: int64; Price: float }

let values () =
    use queue = MessageQueue.Open("./ticks")
    use producer = queue.OpenValueProducer<Tick>()
    let tick = { Id = 7L; Price = 1.5 }
    producer.Publish(&tick) |> ignore
    use consumer = queue.OpenConsumer<ValueMessage<Tick>>("screen")
    let mutable delivery = Unchecked.defaultof<Delivery<ValueMessage<Tick>>>
    if consumer.TryRead(&delivery) then
        let read = delivery.Message.Value
        printfn "%d %.1f" read.Id read.Price
        delivery.Commit()

let raw () =
    use queue = MessageQueue.Open("./raw")
    use producer = queue.OpenProducer()
    producer.Publish(ReadOnlySpan("hello"B)) |> ignore
    use consumer = queue.OpenConsumer<RawMessage>("screen")
    let mutable delivery = Unchecked.defaultof<Delivery<RawMessage>>
    if consumer.TryRead(&delivery) then
        printfn "%s" (Text.Encoding.UTF8.GetString delivery.Message.Bytes)
        delivery.Commit()

let views () =
    use queue = MessageQueue.Open("./orders")
    use producer = queue.OpenProducer<Order>()
    producer.Publish(Order(7, "rush")) |> ignore
    use consumer = queue.OpenConsumer<OrderBufferedMessage>("shipping")
    let mutable delivery = Unchecked.defaultof<Delivery<OrderBufferedMessage>>
    if consumer.TryRead(&delivery) then
        printfn "%d %s" delivery.Message.Id (delivery.Message.Note.ToString())
        delivery.Commit()

values ()
raw ()
views ()
